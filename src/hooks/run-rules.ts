// What the gate would show, for the prompt of a run. A prompt always arrives; a hook may not be installed, or wait for a person's
// review. Read from the person's project, not from the checkout, which an agent can write to.

import { readHookSettings } from '../config/hook-settings.ts';
import type { Environment } from '../system/environment.ts';
import { sha256 } from '../system/sha256.ts';
import { idNotIn, markOf } from './fences.ts';
import { readGateFiles } from './gate-files.ts';
import { directiveText, rulesText } from './gate-text.ts';

/** Empty where the gate is off or has no file. The same files give the same text, so that prompts can be compared. */
export async function runRules(root: string, env: Environment, redact: (text: string) => string): Promise<string> {
  const settings = await readHookSettings(root, env);
  if (settings.mode === 'off') return '';
  const content = readGateFiles({ root, cwd: root }, settings, redact);
  const texts = [...content.files, ...content.refused].flatMap(Object.values).map(String);
  if (texts.length === 0) return '';
  let draws = 0;
  const id = idNotIn(texts, () => `fw_${sha256(JSON.stringify([texts, draws++])).slice(0, 12)}`);
  if (settings.mode === 'inline') return rulesText(content, id, settings.budgetChars).text;
  return directiveText(content, id, settings.budgetChars).text.replace(markOf('gate', id), markOf('rules', id));
}
