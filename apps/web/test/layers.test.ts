import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { sources } from './sources.ts'

/** Each layer may import itself and the layers after it. */
const LAYERS = ['app', 'features', 'components', 'ui', 'lib']
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)|\bimport '(\.[^']+)'/g

const partsOf = (file: string) => file.split(path.sep)
const layerOf = (file: string) => LAYERS.indexOf(partsOf(file)[0] ?? '')

/** Every pair of a file and a file of the app that it imports. */
const imports = sources().flatMap(({ path: from, text }) =>
  [...text.matchAll(IMPORT)].map(([, ...found]) => ({
    from,
    to: path.join(path.dirname(from), found.find((specifier) => specifier !== undefined) ?? ''),
  })),
)
const format = ({ from, to }: { from: string; to: string }) => `${from} → ${to}`

describe('imports', () => {
  it.each(LAYERS)('exist in %s', (layer) =>
    expect(imports.filter(({ from }) => layerOf(from) === LAYERS.indexOf(layer)).length).toBeGreaterThan(10),
  )

  it('go from app to features, components, ui and lib, and never back', () => {
    const upward = imports.filter(({ from, to }) => layerOf(to) !== -1 && layerOf(to) < layerOf(from))
    expect(upward.map(format)).toEqual([])
  })

  it('never go from one feature to another', () => {
    const features = LAYERS.indexOf('features')
    const crossFeature = imports.filter(
      ({ from, to }) => layerOf(from) === features && layerOf(to) === features && partsOf(from)[1] !== partsOf(to)[1],
    )
    expect(crossFeature.map(format)).toEqual([])
  })
})

const filesWith = (pattern: RegExp) =>
  sources()
    .filter(({ text }) => pattern.test(text))
    .map(({ path: file }) => file)
    .toSorted()

describe('toasts', () => {
  it('are declared, not shown by handlers', () => {
    const showing = sources().filter(({ text }) =>
      /\btoast\.(show|success|error|warning|info|failure)\(|\btoast\[/.test(text),
    )
    expect(showing.map(({ path: file }) => file).toSorted()).toEqual([
      // Neither a query nor an action: the script of a language.
      'app/preferences.tsx',
      // Each step of a sign-in replaces the toast before: the `showToast` of its actions.
      'features/auth/auth-toast.ts',
      'lib/action.ts',
      'lib/failure-toast.ts',
      'lib/session.ts',
      'lib/sign-in-link.ts',
      'lib/success-toast.ts',
      'lib/use-form.ts',
      // The specification wants a wrong password in a toast, too.
      'ui/password-dialog.tsx',
    ])
  })
})

describe('lazy dialogs', () => {
  it('do not replace what opened them when they fail to load', () => {
    expect(filesWith(/<DialogLoading\b/)).toEqual(['ui/lazy-dialog.tsx'])
  })
})

describe('external stores', () => {
  it('are read by the helpers of one file', () => {
    const readers = sources().filter(({ text }) => text.includes('useSyncExternalStore'))
    expect(readers.map(({ path: file }) => file)).toEqual(['lib/store.ts'])
  })
})

describe('writing', () => {
  it('goes through useAction', () => {
    expect(filesWith(/\buseMutation\b/)).toEqual(['lib/action.ts'])
  })

  it('calls a procedure only where one action makes several requests', () => {
    expect(filesWith(/\btrpcClient\.[\w.]+\.mutate\(/)).toEqual([
      'features/account/push-device.ts',
      'features/admin/use-evaluation.ts',
      'features/admin/users/use-remove-from-teams.ts',
      // After the upload of the work.
      'features/challenges/apply-dialog.tsx',
      'features/challenges/reapply-dialog.tsx',
      'features/challenges/submit-dialog.tsx',
      // After the creation of new roles.
      'features/teams/edit-team-dialog.tsx',
      'features/teams/use-create-team.ts',
    ])
  })

  it('reloads the page in one place; main.tsx gets the scripts of a new release', () => {
    expect(filesWith(/\blocation\.reload\(/)).toEqual(['lib/reload-page.ts', 'main.tsx'])
  })
})

describe('refreshing', () => {
  it('follows a change by invalidation only', () => {
    expect(filesWith(/\binvalidateQueries\(/)).toEqual([
      // After a sign-in.
      'app/session-keeper.tsx',
      'lib/action.ts',
      'lib/invalidate.ts',
    ])
    expect(filesWith(/\binvalidate\(/)).toEqual(['lib/action.ts', 'lib/invalidate-on.ts', 'lib/live/stale-queries.ts'])
    expect(filesWith(/\b(resetQueries|setQueryData|removeQueries|refetchQueries)\(/)).toEqual([
      'app/session-keeper.tsx',
      'lib/refetch.ts',
    ])
  })

  it('polls, or fetches at each visit, only where others change what is shown', () => {
    expect(filesWith(/\brefetchInterval\b/)).toEqual([
      'components/webhooks/deliveries.tsx',
      'features/admin/announcements/announcements-tab.tsx',
      'features/admin/archive-import.tsx',
      'features/leaderboard/index.tsx',
    ])
    expect(filesWith(/\brefetchOnMount\b/)).toEqual([
      'features/admin/overview/overview-tab.tsx',
      'features/dashboard/team-submissions.tsx',
      'features/dashboard/use-dashboard.ts',
    ])
  })

  it('offers Try Again in one component', () => {
    expect(filesWith(/\brefetch\(/)).toEqual(['lib/infinite-list.ts', 'ui/query-error.tsx'])
  })
})
