import { times, uniqueName } from '@community/testing'
import fc from 'fast-check'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'
import { describeResponse, isRetryLater, countOutcomes, requestOf } from '@community/testing/api-client'
import { teamForm } from '@community/testing/community'
import { conflictsLogged, type Fixture } from '../harness/fixture.ts'
import { aimed, ANY_OPERATION } from '../harness/operations.ts'
import { createRealCommunity, describeReal, sendAtOnce } from '../harness/real-community.ts'

const AT_ONCE = 12
/** After so many calls most of a community's members are banned. */
const CALLS_IN_COMMUNITY = 240
const CODES = ['40001', '40P01'] as const
/** The number of transient failures in a row for each of ten requests. */
const FAILURES = [1, 5]
const REQUESTS = 10

/** Random concurrent operations in small communities, one after the other. */
async function runOperations(fixture: Fixture, seed: number, calls: number): Promise<Record<string, number>> {
  let real = await createRealCommunity(fixture)
  const operations = fc.sample(ANY_OPERATION, { numRuns: calls, seed })
  const statuses: Record<string, number> = {}
  for (let start = 0; start < calls; start += AT_ONCE) {
    if (start > 0 && start % CALLS_IN_COMMUNITY === 0) real = await createRealCommunity(fixture)
    const batch = operations.slice(start, start + AT_ONCE).map((operation) => aimed(operation, real))
    for (const outcome of await sendAtOnce(real, batch)) {
      const status = outcome.slice(0, 3)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    await describeReal(real)
  }
  return statuses
}

/** Makes each insert of a team fail `failures` times in a row, then succeed. Counted by a sequence, which survives rollbacks. */
const injectConflicts = ({ sql }: Fixture, code: (typeof CODES)[number], failures: number) =>
  sql.unsafe(`
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
const removeConflicts = ({ sql }: Fixture) => sql`drop trigger test_conflict on teams`

async function expectRetries(
  fixture: Fixture,
  { expect }: GuaranteeContext,
  code: (typeof CODES)[number],
  failures: number,
): Promise<void> {
  await injectConflicts(fixture, code, failures)
  const member = await fixture.createMember()
  const names = times(REQUESTS, () => uniqueName('Retried'))
  const responses = []
  for (const name of names) {
    const call = requestOf('teams.create', { ...(await teamForm(fixture.client)), name }, member)
    responses.push(await fixture.client.call({ ...call, headers: { 'idempotency-key': name.replace(' ', '-') } }))
  }
  await removeConflicts(fixture)
  const stored = await fixture.sql`select name from teams where name = any(${names})`
  const found = countOutcomes(responses)
  expect(
    found['201'] === names.length && stored.length === names.length,
    `${failures} times ${code}: ${JSON.stringify(found)}, ${stored.length} stored`,
  )
}

/** A permanent conflict is answered with 503 and stores nothing. */
async function expectOutage(fixture: Fixture, { expect }: GuaranteeContext): Promise<void> {
  await injectConflicts(fixture, '40P01', 1_000_000)
  const member = await fixture.createMember()
  const response = await fixture.client.call(requestOf('teams.create', await teamForm(fixture.client), member))
  await removeConflicts(fixture)
  const left = await fixture.sql`select id from team_members where user_id = ${member.id}`
  expect(response.status === 503 && isRetryLater(response), `without end: ${describeResponse(response)}`)
  expect(left.length === 0, `without end: ${left.length} rows left`)
}

export const guarantee: Guarantee = {
  id: 'R25',
  statement:
    'Concurrent operations cause no deadlock or serialization failure; transactions that PostgreSQL aborts for one are retried, invisibly to the client',
  async run(context) {
    const { byTier, expect, expectNone, openFixture, seed } = context
    const calls = byTier({ short: 480, full: 20_000, long: 200_000 })
    const fixture = await openFixture()
    const statuses = await runOperations(fixture, seed, calls)
    for (const [status, count] of Object.entries(statuses))
      expect(Number(status) > 0 && Number(status) < 500, `${count} answers of ${status}`)
    const successes = (statuses['200'] ?? 0) + (statuses['201'] ?? 0)
    expect(successes >= calls / 10, `only ${successes} successes: the test proves little`)
    expectNone(await conflictsLogged(fixture))
    for (const code of CODES) for (const failures of FAILURES) await expectRetries(fixture, context, code, failures)
    await expectOutage(fixture, context)
    return { calls, statuses: JSON.stringify(statuses) }
  },
}
