// `pnpm --filter @community/reliability mutants [--seed N] [--count N] [part of a place]`: of the small faults that could be made by rule in the
// modules for codes, sessions, teams, submissions and points, which share do the tests notice? All would take many hours: a sample is drawn
// by the seed. Ends with 1 below the goal. A part of the sample (`auth/codes.ts:97`) is told and not kept.
import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { keepSample, type Sample } from '../files.ts'
import { copyOfCommit } from '../saboteurs/notice.ts'
import { draw, writeMutants } from './draw.ts'
import { judgementOf, percent, scoreOf } from './score.ts'
import { Tests } from './try.ts'

const GOAL = 0.8

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, count: { type: 'string', default: '80' } },
})
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const [part = ''] = positionals
const say = (line: string) => process.stdout.write(`${line}\n`)

const began = performance.now()
const copy = await copyOfCommit()
const all = await writeMutants(copy)
const drawn = draw(all, seed, Number(values.count)).filter(({ file, line }) => `${file}:${line}`.includes(part))
say(`${drawn.length} of ${all.length} mutants, seed ${seed}`)
const tests = await Tests.open(copy)
const sample: Sample = { seed, mutants: all.length, tried: 0, survivors: [], seconds: 0 }
try {
  for (const left of await tests.learn()) say(`left out, as it fails without a mutant: ${left}`)
  for (const mutant of drawn) {
    const { file, line, change } = mutant
    const by = await tests.whoNotices(mutant)
    sample.tried++
    sample.seconds = Math.round((performance.now() - began) / 1000)
    if (by === null) sample.survivors.push({ file, line, change })
    const verdict = by ?? (judgementOf({ file, line, change })?.equal ? 'does the same' : 'NOBODY')
    say(`${sample.tried} ${file}:${line} ${change}: ${verdict}, ${sample.seconds} s`)
    // At once: a long run that is broken off has found something too.
    if (part === '') await keepSample(sample)
  }
} finally {
  await tests.close()
  await rm(path.dirname(copy), { recursive: true, force: true })
}
const { noticed, counted, equal, score, from, to } = scoreOf(sample)
say(
  `\n${noticed} of ${counted} noticed, ${percent(score)} (${percent(from)} to ${percent(to)}); ${equal} do the same; seed ${seed}`,
)
process.exit(score >= GOAL ? 0 : 1)
