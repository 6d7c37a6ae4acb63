// `foreword/testing`: what users need to test their own parts.

export { type ContractCase, storeContract } from '../stores/contract.ts';
export { memoryStores } from '../stores/memory.ts';
export { type ManualClock, manualClock } from './manual-clock.ts';
