import { describe, expect, test } from 'vitest';
import type { LabQuestion } from '../../kernel/agent-lab.ts';
import { recipeFor, recipes } from './recipe.ts';

const place = { home: '/lab/home', project: '/lab/project', modelUrl: 'http://127.0.0.1:8099' };
const none: ReadonlySet<LabQuestion> = new Set();

test('each agent has one recipe, found by its name', () => {
  expect(new Set(recipes.map((recipe) => recipe.agent)).size).toBe(recipes.length);
  for (const recipe of recipes) expect(recipeFor(recipe.agent)).toBe(recipe);
  expect(recipeFor('nobody')).toBeUndefined();
});

describe.each(recipes)('the recipe of $agent', (recipe) => {
  test('writes below the home and the project only, what parses where it is JSON', () => {
    for (const asks of [none, ...recipe.questions.map((question) => new Set([question]))])
      for (const [path, content] of Object.entries(recipe.files(place, asks))) {
        expect(path).toMatch(/^\/lab\/(home|project)\//);
        if (path.endsWith('.json')) expect(() => JSON.parse(content)).not.toThrow();
      }
  });

  test('leads to the model, and to no other place', () => {
    const all = JSON.stringify([recipe.files(place, none), recipe.env(place, none)]);
    expect(all).toContain(place.modelUrl);
    expect(all.replaceAll(place.modelUrl, '')).not.toMatch(/https?:/);
  });

  test('makes a difference for each question it knows', () => {
    const made = (asks: ReadonlySet<LabQuestion>) =>
      JSON.stringify([recipe.files(place, asks), recipe.env(place, asks), recipe.terminalArgs(asks)]);
    for (const question of recipe.questions) expect(made(new Set([question])), question).not.toBe(made(none));
    const unknown = (['trust', 'login', 'key', 'hooks', 'update', 'bypass', 'approval'] as const).filter(
      (question) => !recipe.questions.includes(question),
    );
    for (const question of unknown) expect(made(new Set([question])), question).toBe(made(none));
  });

  test('gives the prompt of a one-shot as one argument, unchanged', () => {
    const prompt = 'two words\nand "$HOME" a second line';
    expect(recipe.oneshotArgs(prompt).filter((arg) => arg === prompt)).toHaveLength(1);
  });

  test('calls tools with the command, the path and the content it was given', () => {
    expect(JSON.stringify(recipe.commandCall('make test'))).toContain('make test');
    const write = JSON.stringify(recipe.fileCall('/lab/project/a.txt', 'hello'));
    expect(write).toContain('/lab/project/a.txt');
    expect(write).toContain('hello');
  });
});
