import fc from 'fast-check'
import type { Client } from '../harness/client.ts'
import { tally } from '../harness/client.ts'
import { teamForm, uniqueName } from '../harness/community.ts'
import { conflictsLogged } from '../harness/conflicts.ts'
import { openWorld, portraitOf, type RealWorld, sendAtOnce } from '../harness/model-world.ts'
import { ANY_OPERATION, MEMBERS, aimed } from '../harness/operations.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee, type GuaranteeContext } from '../guarantee.ts'

const AT_ONCE = 12
/** Requests of which each meets a failure that passes. */
const INJECTED = 40

/** Everybody does anything in one small community, many at once, and nobody waits for another. */
async function crowd({ seed }: GuaranteeContext, world: RealWorld, calls: number): Promise<Record<string, number>> {
  const operations = fc.sample(ANY_OPERATION, { numRuns: calls, seed })
  const statuses: Record<string, number> = {}
  for (let start = 0; start < calls; start += AT_ONCE) {
    const batch = operations.slice(start, start + AT_ONCE).map((operation) => aimed(operation, world))
    for (const { status } of await sendAtOnce(world, batch)) statuses[status] = (statuses[status] ?? 0) + 1
    await portraitOf(world)
  }
  return statuses
}

/** Has the next so many attempts to write a team fail as a conflict would: the count outlives each failed transaction. */
const inject = async ({ sql }: Fixture, code: '40001' | '40P01', failures: number) => {
  await sql.unsafe(`
    drop trigger if exists test_conflict on teams;
    drop sequence if exists test_conflicts;
    create sequence test_conflicts;
    create or replace function test_conflict() returns trigger language plpgsql as $$
    begin
      if nextval('test_conflicts') % ${failures + 1} <> 0 then
        raise exception 'injected' using errcode = '${code}';
      end if;
      return new;
    end $$;
    create trigger test_conflict before insert on teams for each row execute function test_conflict();`)
}

async function injected(
  fixture: Fixture,
  client: Client,
  code: '40001' | '40P01',
  failures: number,
): Promise<string[]> {
  await inject(fixture, code, failures)
  const { token } = await fixture.people.member()
  const names = Array.from({ length: INJECTED / 4 }, () => uniqueName('Retried'))
  const answers = []
  for (const name of names) {
    const body = { ...(await teamForm(client)), name }
    answers.push(
      await client.call('POST /teams', { token, body, headers: { 'idempotency-key': name.replace(' ', '-') } }),
    )
  }
  await fixture.sql`drop trigger test_conflict on teams`
  const stored = await fixture.sql`select name from teams where name = any(${names})`
  const found = tally(answers)
  return found['201'] === names.length && stored.length === names.length
    ? []
    : [`${failures} times ${code}: ${JSON.stringify(found)}, ${stored.length} stored`]
}

/** A conflict that never ends is told as an outage, and leaves nothing behind. */
async function endless(fixture: Fixture, client: Client): Promise<string[]> {
  await inject(fixture, '40P01', 1_000_000)
  const { id, token } = await fixture.people.member()
  const answer = await client.call('POST /teams', { token, body: await teamForm(client) })
  await fixture.sql`drop trigger test_conflict on teams`
  const left = await fixture.sql`select id from team_members where user_id = ${id}`
  const isHonest = answer.status === 503 && Number(answer.headers['retry-after']) > 0 && left.length === 0
  return isHonest ? [] : [`without end: ${answer.status} ${JSON.stringify(answer.body)}, ${left.length} rows left`]
}

export const guarantee: Guarantee = {
  id: 'R25',
  statement:
    'Operations at once neither deadlock nor fail to serialize; what PostgreSQL refuses for such a reason is tried again, and nobody is told',
  async run(context) {
    const { violations } = context
    const calls = byTier(context, { short: 480, full: 20_000, long: 200_000 })
    const fixture = await context.open()
    const { client } = fixture
    const statuses = await crowd(context, await openWorld(fixture, MEMBERS), calls)
    for (const [status, count] of Object.entries(statuses))
      if (Number(status) >= 500) violations.push(`${count} answers of ${status}`)
    const logged = await conflictsLogged(fixture)
    violations.push(...logged)
    for (const code of ['40001', '40P01'] as const)
      for (const failures of [1, 5]) violations.push(...(await injected(fixture, client, code, failures)))
    violations.push(...(await endless(fixture, client)), ...(await fixture.brokenInvariants()))
    const figures = {
      'calls of a crowd': calls,
      'at once': AT_ONCE,
      statuses: JSON.stringify(statuses),
      'conflicts logged': logged.length,
      'calls that met injected ones': INJECTED,
    }
    return figures
  },
}
