// What is too heavy for every hook: loaded when it is needed.

export const HOOK_PARTS = { composer: () => import('./hook-composer.ts'), keeper: () => import('./hook-keeper.ts') };
