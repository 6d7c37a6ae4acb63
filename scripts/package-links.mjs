// Links of the package. `repository.url` in package.json is the one place that names where the project lives; homepage, bugs
// and the links of the README that is published follow from it. Until an owner is known it says OWNER, and no release is made.

const OWNER = '/OWNER/';
/** Markdown links and pictures, but not those inside of a fenced block. */
const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Where the project lives: `{ url, hasOwner, mcpName }`. */
export function packageHome({ repository }) {
  const url = (repository?.url ?? '').replace(/^git\+/, '').replace(/\.git$/, '');
  const [owner, name] = url.split('/').slice(-2);
  const mcpName = `io.github.${owner}/${name}`;
  return { url, mcpName, hasOwner: /^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(url) && !`${url}/`.includes(OWNER) };
}

/** A page whose links work wherever it is shown: a package's page knows no files of the repository. */
export function withWholeLinks(page, { url }, version) {
  return outsideBlocks(page, (text) =>
    text.replace(LINK, (whole, mark, label, target) => {
      if (!isRelative(target)) return whole;
      const kind = mark === '!' ? 'raw' : target.endsWith('/') ? 'tree' : 'blob';
      return `${mark}[${label}](${url}/${kind}/v${version}/${target.replace(/^\.\//, '')})`;
    }),
  );
}

/** The targets that only work beside the repository's files. */
export function relativeLinks(page) {
  const found = [];
  outsideBlocks(page, (text) => {
    for (const [, , , target] of text.matchAll(LINK)) if (isRelative(target)) found.push(target);
    return text;
  });
  return found;
}

function isRelative(target) {
  return !/^([a-z]+:|#)/i.test(target);
}

function outsideBlocks(page, change) {
  return page
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
