import { expect, it } from 'vitest'
import { parseRange } from './byte-range.ts'

it.each([
  [undefined, null],
  ['', null],
  ['bytes=0-4', { start: 0, end: 4 }],
  ['bytes=5-', { start: 5, end: 9 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=0-99', { start: 0, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['items=0-1', null],
  ['bytes=a-b', null],
  ['bytes=99999999999999999999-', null],
] as const)('%j on ten bytes is %j', (header, range) => expect(parseRange(header, 10)).toEqual(range))
