// What a command printed, with what differs from run to run replaced: pages and examples show the same each time.

/** In the order in which they are printed. */
const DELIVERY_IDS = [
  'fw_3f2a9c01b7d4',
  'fw_8b1e5d20c6a9',
  'fw_c47f0e93d215',
  'fw_0d6a2b7f18e4',
  'fw_91c3e5a70b42',
  'fw_6e08d4f1a2c9',
];
const SESSION_IDS = ['5b1f0c7e-2d94-4a63-9c1e-7f3a60d2b815', 'c8e42a19-6f05-4b7d-8a30-1d9e57c4f2b6'];

/** Times, ids and hashes differ from run to run; everything else must not. */
export function withoutChance(text) {
  const deliveries = new Map();
  const sessions = new Map();
  return (
    text
      .replace(/\bforeword\/([a-z0-9-]+)-[0-9a-f]{4}\b/g, 'foreword/$1-4f2a')
      .replace(/^ {2}[0-9a-f]{7} (?=\S+: )/gm, '  9c41e7b ')
      .replace(/\b[0-9a-f]{7}(?= {2}by its checks)/g, '9c41e7b')
      .replace(/^\d\d:\d\d:\d\d \S+: (trying \S+ in its box|runs without a box).*\n/gm, '')
      .replace(/^Merged ([a-z0-9-]+)-[0-9a-f]{4}:/gm, 'Merged $1-4f2a:')
      .replace(/^Updating [0-9a-f.]+$/gm, 'Updating 19a1739..9c41e7b')
      .replace(/^foreword: .* waits: .*\n/gm, '')
      .replace(/\b\d+\.\d s\b/g, '0.1 s')
      .replace(/, \d+ KiB\./g, ', 20 KiB.')
      .replace(/^Run ([a-z0-9-]+)-[0-9a-f]{4} goes on/gm, 'Run $1-4f2a goes on')
      .replace(/\bcommits of ([a-z0-9-]+)-[0-9a-f]{4}\b/g, 'commits of $1-4f2a')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T12:34:56Z')
      .replace(/^\d\d:\d\d:\d\d date: [\d-]+$/gm, '12:34:56 date: 2026-01-01')
      .replace(/^\d\d:\d\d:\d\d /gm, '12:34:56 ')
      .replace(/until \d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'until 2026-01-01 12:35')
      .replace(
        /\bfw_[0-9a-z]{12}\b/g,
        (id) => deliveries.get(id) ?? deliveries.set(id, DELIVERY_IDS[deliveries.size]).get(id),
      )
      .replace(
        /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
        (id) => sessions.get(id) ?? sessions.set(id, SESSION_IDS[sessions.size]).get(id),
      )
      // A table shows the beginning of an id, after the delivery.
      .replace(/(?<=^fw_[0-9a-z]{12} {2})[0-9a-f]{8}(?= )/gm, (id) => {
        const known = sessions.get(id) ?? sessions.set(id, SESSION_IDS[sessions.size]).get(id);
        return known?.slice(0, id.length);
      })
      .replace(/\bs[0-9a-f]{8}\b/g, 's1a2b3c4d')
  );
}
