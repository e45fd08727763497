import { contract, routesOf } from '@community/contract'
import { aPagination } from '@community/testing'
import { expect, it } from 'vitest'
import { PUBLIC_QUERIES, SHARED_QUERIES } from '../src/lib/shared-queries.ts'
import { trpcClient } from '../src/lib/trpc.ts'
import { fakeBackend } from './fake-backend.ts'
import { signIn } from './sign-in.ts'

const routes = new Map(routesOf(contract))

it('names every query that the server caches by role', () => {
  const shared = [...routes].filter(([, { cached }]) => cached === 'by role')
  expect([...SHARED_QUERIES].toSorted()).toEqual(shared.map(([path]) => path).toSorted())
})

it.each([...PUBLIC_QUERIES])('%s is cached for visitors', (path) => {
  expect(routes.get(path)?.cached).toBe('for visitors')
})

it('sends only the first pages of public queries without the token', async () => {
  signIn()
  const { requests } = fakeBackend({
    'submissions.approved': () => ({ submissions: [], pagination: aPagination(0) }),
    'teams.list': () => ({ teams: [], pagination: aPagination(0) }),
  })
  for (const input of [{}, { search: 'atlas' }, { cursor: 'abc' }]) await trpcClient.submissions.approved.query(input)
  await trpcClient.teams.list.query({})
  expect(requests.map(({ path, headers }) => [path, headers.get('authorization')])).toEqual([
    ['submissions.approved', null],
    ['submissions.approved', 'Bearer token'],
    ['submissions.approved', 'Bearer token'],
    ['teams.list', 'Bearer token'],
  ])
})
