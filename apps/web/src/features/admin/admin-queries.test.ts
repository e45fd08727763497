import { expect, it } from 'vitest'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { hasPath } from '../../lib/invalidate.ts'
import { queryClient } from '../../lib/query-client.ts'
import { ADMIN_DATA, ADMIN_QUERIES } from './admin-queries.ts'

it('refreshes every list half a second after an action, but neither statistics nor settings', () => {
  for (const path of ADMIN_QUERIES) queryClient.setQueryData([path.split('.')], {})
  const { ms, invalidates } = AFTER_ADMIN_ACTION.later
  const reloaded = queryClient
    .getQueryCache()
    .findAll({ predicate: hasPath(invalidates) })
    .map(({ queryKey: [path] }) => (path as string[]).join('.'))
  expect(reloaded).toEqual(ADMIN_DATA.filter((path) => path !== 'admin.stats' && path !== 'webhooks'))
  expect(ms).toBe(500)
})
