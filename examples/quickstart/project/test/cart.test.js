import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalOf } from '../src/cart.js';

test('a cart of two kinds adds up', () => {
  assert.equal(
    totalOf([
      { price: 250, count: 2 },
      { price: 99, count: 1 },
    ]),
    599,
  );
});
