// The blocks of a page that readers paste, and what they print. Pure.
//
//   <!-- paste -->               a shell block: it runs, in the order of the page, in the reader's own project
//   <!-- paste in a checkout --> the same, in a checkout of this repository after npm ci
//   <!-- paste with claude -->   the same as the first, by test/real with the real agent; not with a stand-in
//   <!-- prints -->              what the block before it printed

const BLOCK = /<!-- (paste(?: in a checkout| with claude)?|prints) -->\n```(\w+)\n([\s\S]*?)```/g;

/** Blocks in their order: `{ where: 'project' | 'checkout' | 'claude', text, prints }`. `prints` is absent where the page shows nothing. */
export function blocksOf(page) {
  const blocks = [];
  for (const [, mark, , text] of page.matchAll(BLOCK)) {
    if (mark === 'prints') blocks.at(-1).prints = text;
    else blocks.push({ where: WHERE[mark], text });
  }
  return blocks;
}

const WHERE = { paste: 'project', 'paste in a checkout': 'checkout', 'paste with claude': 'claude' };

/** The page with what each block printed now. `printed[n]` belongs to the n-th block. */
export function withOutput(page, printed) {
  let index = -1;
  return page.replace(BLOCK, (whole, mark, language) => {
    if (mark !== 'prints') index += 1;
    const text = printed[index];
    return mark === 'prints' && text !== undefined ? `<!-- prints -->\n\`\`\`${language}\n${text}\`\`\`` : whole;
  });
}

/** One script for all blocks, as if pasted one after the other into one terminal. Each end is marked with its exit status. */
export function scriptOf(blocks, mark) {
  return `exec 2>&1\n${blocks.map(({ text }) => `${text}printf '%s %s\\n' '${mark}' "$?"\n`).join('')}`;
}

/** What each block printed and its exit status, from the output of that script. */
export function resultsOf(output, mark) {
  const results = [];
  let text = '';
  for (const line of output.split(/(?<=\n)/)) {
    const at = line.indexOf(`${mark} `);
    if (at === -1) text += line;
    else {
      results.push({ printed: text + line.slice(0, at), status: Number(line.slice(at + mark.length + 1)) });
      text = '';
    }
  }
  return { results, rest: text };
}

/** What happened to files that were there before: path → content, before and after. New files are not named. */
export function changesOf(before, after) {
  return [...before].flatMap(([path, content]) => {
    if (!after.has(path)) return [`removed ${path}`];
    return after.get(path) === content ? [] : [`changed ${path}:\n${after.get(path)}`];
  });
}
