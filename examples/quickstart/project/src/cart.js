/** Items are { price, count }; prices in cents. */
export function totalOf(items) {
  return items.reduce((sum, item) => sum + item.price * item.count, 0);
}
