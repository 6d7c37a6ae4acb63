import { describe, expect, test } from 'vitest';
import { type ConnectionState, connectionsToClose } from './connections.ts';

const NOW = 10_000;
const SILENT: ConnectionState = { openedAt: 0, isKnown: false, requests: 0, bytesRead: 0 };
const SLOW: ConnectionState = { ...SILENT, bytesRead: 9 };
const PAGE: ConnectionState = { ...SILENT, isKnown: true, bytesRead: 900 };
const BUSY: ConnectionState = { ...PAGE, requests: 1 };
const YOUNG: ConnectionState = { ...SILENT, openedAt: NOW - 10 };

const many = (count: number, one: ConnectionState) => Array.from({ length: count }, () => ({ ...one }));

describe('the connections to close', () => {
  test('are none while there are few', () => {
    expect(connectionsToClose(many(64, SILENT), NOW)).toEqual([]);
  });

  test('are the oldest of those that sent nothing, then those that sent half a request, then idle pages', () => {
    const [page, slow] = [{ ...PAGE }, { ...SLOW }];
    const silent = many(3, SILENT);
    const rest = many(60, BUSY);
    expect(connectionsToClose([page, slow, ...silent, ...rest], NOW)).toEqual([silent[0]]);
    expect(connectionsToClose([page, slow, ...silent, ...rest, ...many(3, BUSY)], NOW)).toEqual([...silent, slow]);
    expect(connectionsToClose([page, ...many(64, BUSY)], NOW)).toEqual([page]);
  });

  test('are never those with a request under way', () => {
    expect(connectionsToClose(many(600, BUSY), NOW)).toEqual([]);
  });

  test('are not those that were just opened, up to a number', () => {
    expect(connectionsToClose(many(512, YOUNG), NOW)).toEqual([]);
    const [first, ...more] = many(513, YOUNG);
    expect(connectionsToClose(first === undefined ? [] : [first, ...more], NOW)).toEqual([first]);
  });
});
