// The schema of a setting, made from its rule: for checking a file with all its faults, and for the JSON Schema.

import * as v from 'valibot';
import type { Setting, SettingRule } from '../setting.ts';
import type { AnySchema } from './check.ts';
import { flag, line, listOf, oneOf, text, whole } from './words.ts';

export function schemaOf({ rule, allowed }: Setting<unknown>): AnySchema {
  return ofRule(rule, allowed);
}

/** The entry of a setting in the schema of the file. @internal */
export function entryOf(setting: Setting<unknown>): AnySchema {
  return v.optional(v.pipe(schemaOf(setting), v.metadata(metadataOf(setting))));
}

function metadataOf({ description, defaultValue }: Setting<unknown>): Record<string, unknown> {
  return defaultValue === undefined ? { description } : { description, default: defaultValue };
}

function ofRule(rule: SettingRule, allowed: string): AnySchema {
  switch (rule.kind) {
    case 'whole':
      return whole(rule.min, rule.max);
    case 'share':
      return shareSchema();
    case 'flag':
      return flag();
    case 'choice':
      return oneOf(rule.options);
    case 'line':
      return line(rule.maxChars);
    case 'path':
      return text('a path');
    case 'inner-path':
      return innerPath();
    case 'list':
      return listSchema(rule, allowed);
    case 'own':
      return rule.schema as AnySchema;
  }
}

function shareSchema(): AnySchema {
  const phrase = 'a number from 0 to 1';
  return v.pipe(v.number(phrase), v.minValue(0, phrase), v.maxValue(1, phrase));
}

/** Neither absolute nor empty, and no part of it leads up or into a git directory. */
function innerPath(): AnySchema {
  const phrase = 'a path below the project, without .. and .git';
  const isInside = (path: string) => {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    return !/^[/~]/.test(path) && parts.length > 0 && !parts.some((part) => part === '..' || /^\.git$/i.test(part));
  };
  return v.pipe(text(phrase), v.check(isInside, phrase));
}

function listSchema(rule: SettingRule & { readonly kind: 'list' }, allowed: string): AnySchema {
  const list = listOf(ofRule(rule.item, allowed), allowed);
  if (rule.min === undefined || rule.max === undefined) return list;
  return v.pipe(list, v.minLength(rule.min, allowed), v.maxLength(rule.max, allowed));
}
