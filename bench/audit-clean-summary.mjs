// What the homes of bench/audit-clean.mjs add up to. Pure.

/** From homes to a row per agent. */
export function cleanCounts(homes, versionOf) {
  return [...new Set(homes.map(({ agent }) => agent))].map((agent) => {
    const own = homes.filter((one) => one.agent === agent);
    const sum = (field) => own.reduce((total, one) => total + one[field], 0);
    const loads = own.map(({ load }) => Math.round(load * 10) / 10);
    return {
      ...{ row: agent, version: versionOf(agent), homes: own.length },
      ...{ sessions: sum('sessions'), told: sum('told'), prompts: sum('prompts'), served: sum('served') },
      findings: own.reduce((total, { findings }) => total + findings.reduce((all, { count }) => all + count, 0), 0),
      cut: own.filter(({ fault }) => fault !== undefined).length,
      load: [Math.min(...loads), Math.max(...loads)],
    };
  });
}

/** Counts, of one run or of several together, as a section for docs/figures.md, without its heading. */
export function cleanSection(counts) {
  const [sessions, told, findings] = ['sessions', 'told', 'findings'].map((field) =>
    counts.reduce((sum, one) => sum + (one[field] ?? 0), 0),
  );
  return [
    '`node bench/audit-clean.mjs`: sessions of the real agents with the hooks of `foreword init`, offline, against the loopback model: one prompt, two',
    'commands and an edit each, and in every home one session in a terminal with two such prompts. Nothing is wrong in them, so that every finding of',
    '`foreword audit` is false or a fault of foreword. *Cut*: homes whose sessions did not all run through; what there is was audited. Runs add up in',
    '`bench/ledger/audit-clean.json`, which names the code of each. A session is *told* that was given a text of a hook at least; on a machine so busy that a',
    'hook is given up after 1.5 s, it may get none, and there is less that could be told wrongly. The runs before 20:00 on 2026-11-18 did not count them,',
    'so that theirs are not among the told. Of the findings, six (OpenCode, pi) are sessions whose hooks were given up, by a kind of finding that',
    'was false there and is gone. One (Gemini CLI) is a text of the gate that foreword',
    'said twice when its hook was given up. Both were seen at loads from 9 to 31.',
    `In all: ${findings} findings in ${sessions} sessions, of which ${told} are known to have been told something.`,
    '',
    '| agent | version | homes | sessions | told | prompts | texts served | findings | cut | load |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...counts.map(
      (one) =>
        `| ${one.row} | ${one.version} | ${one.homes} | ${one.sessions} | ${one.told ?? 0} | ${one.prompts} | ${one.served} | ${one.findings} | ${one.cut} | ${one.load.map((value) => value.toFixed(1)).join(' to ')} |`,
    ),
  ].join('\n');
}
