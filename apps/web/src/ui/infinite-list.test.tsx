import type { AppContract, Input } from '@community/contract'
import { aTeamCard } from '@community/testing'
import { useInfiniteQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fakeBackend, appError } from '../../test/fake-backend.ts'
import { pageOf } from '../../test/pages.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { BY_CURSOR } from '../lib/by-cursor.ts'
import { infiniteList } from '../lib/infinite-list.ts'
import { trpc } from '../lib/trpc.ts'
import { InfiniteList } from './infinite-list.tsx'

type ListInput = Input<AppContract['teams']['list']>

function Teams({ search }: { search?: string }) {
  const query = useInfiniteQuery(
    trpc.teams.list.infiniteQueryOptions({ limit: 3, ...(search && { search }) }, BY_CURSOR),
  )
  const list = infiniteList(query, (page) => page.teams)
  return (
    <main tabIndex={-1}>
      <input aria-label="Elsewhere" />
      <InfiniteList
        list={list}
        skeleton={<p>Loading</p>}
        failed="Failed to load teams"
        empty={<p>None</p>}
        progress={`${list.rows.length} of ${list.total}`}
      >
        {(team) => <li key={team.id}>{team.name}</li>}
      </InfiniteList>
    </main>
  )
}

const named = (...names: string[]) => names.map((name, index) => aTeamCard(index, name))

/** Teams A to H in pages of three; `before` may change them or reject the request. */
function open(before: (input: ListInput, count: number) => void = () => {}) {
  const catalog = { teams: named(...'ABCDEFGH'.split('')) }
  let count = 0
  const backend = fakeBackend({
    'teams.list': (input) => {
      count += 1
      before(input, count)
      const { rows, pagination } = pageOf(catalog.teams, input ?? {}, ({ name }) => name)
      return { teams: rows, pagination }
    },
  })
  return { ...backend, catalog, ...renderWithProviders(<Teams />) }
}

const shown = () =>
  screen
    .getAllByRole('listitem', { hidden: true })
    .map(({ textContent }) => textContent)
    .join(' ')
const button = () => screen.findByRole('button', { name: 'Show more' })
const showMore = async () => userEvent.click(await button())

describe('InfiniteList', () => {
  it('loads pages until there are no more', async () => {
    const { inputsOf } = open()
    await showMore()
    expect(await screen.findByText('F')).toBeDefined()
    await showMore()
    await screen.findByText('H')
    expect(shown()).toBe('A B C D E F G H')
    expect(screen.queryByRole('button')).toBeNull()
    const cursors = inputsOf('teams.list').map((input) => (input as ListInput)?.cursor)
    expect(cursors[0]).toBeUndefined()
    expect(new Set(cursors).size).toBe(3)
  })

  it('moves the focus to the first new row, which is focusable only then', async () => {
    open()
    await showMore()
    const row = await screen.findByText('D')
    await waitFor(() => expect(document.activeElement).toBe(row))
    await userEvent.click(screen.getByLabelText('Elsewhere'))
    expect(row.hasAttribute('tabindex')).toBe(false)
  })

  it('moves the focus to the first new row of the last page, too', async () => {
    open()
    await showMore()
    await screen.findByText('F')
    await showMore()
    const row = await screen.findByText('G')
    await waitFor(() => expect(document.activeElement).toBe(row))
  })

  it('leaves the focus if the user has moved it', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const catalog = named(...'ABCDEF'.split(''))
    fakeBackend({
      'teams.list': async (input) => {
        if (input?.cursor) await held
        const { rows, pagination } = pageOf(catalog, input ?? {}, ({ name }) => name)
        return { teams: rows, pagination }
      },
    })
    renderWithProviders(<Teams />)
    await showMore()
    const busy = await screen.findByRole('button', { name: 'Loading...' })
    expect(busy.getAttribute('aria-busy')).toBe('true')
    await userEvent.click(screen.getByLabelText('Elsewhere'))
    release()
    await screen.findByText('F')
    expect(document.activeElement).toBe(screen.getByLabelText('Elsewhere'))
  })

  it('announces the progress only after Show more', async () => {
    open()
    const progress = await screen.findByText('3 of 8')
    expect(progress.getAttribute('aria-live')).toBe('off')
    await showMore()
    await waitFor(() => expect(progress.textContent).toBe('6 of 8'))
    expect(progress.getAttribute('aria-live')).toBe('polite')
  })

  it('has neither duplicates nor gaps when rows move', async () => {
    const { catalog } = open()
    await screen.findByText('C')
    const [a, ...others] = catalog.teams
    catalog.teams = [...others, { ...(a as (typeof others)[0]), name: 'E2' }, aTeamCard(20, 'AA'), aTeamCard(21, 'D2')]
    await showMore()
    await screen.findByText('E')
    await showMore()
    await screen.findByText('G')
    await showMore()
    await screen.findByText('H')
    expect(shown()).toBe('E2 B C D D2 E F G H')
  })

  it('shows why the next page failed, and retries it', async () => {
    let isDown = true
    open((input) => {
      if (input?.cursor && isDown) throw appError('UNAVAILABLE', 'The service is unavailable right now.')
    })
    await showMore()
    expect((await screen.findByRole('alert')).textContent).toBe('The service is unavailable right now.')
    expect(shown()).toBe('A B C')
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('F')
    expect(shown()).toBe('A B C D E F')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('starts again if the server rejects the cursor', async () => {
    const { catalog, inputsOf } = open((_input, count) => {
      if (count === 2) throw appError('VALIDATION', 'Not a valid cursor', { errors: [{ msg: '', path: 'cursor' }] })
    })
    await showMore()
    await screen.findByRole('alert')
    catalog.teams = named('X', 'Y')
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('X')
    expect(shown()).toBe('X Y')
    expect((inputsOf('teams.list').at(-1) as ListInput)?.cursor).toBeUndefined()
  })

  it('starts again for another input', async () => {
    const { rerender, inputsOf } = open()
    await showMore()
    await screen.findByText('F')
    rerender(<Teams search="a" />)
    await waitFor(() => expect(shown()).toBe('A B C'))
    const last = inputsOf('teams.list').at(-1) as ListInput
    expect(last).toMatchObject({ search: 'a', limit: 3 })
    expect(last?.cursor).toBeUndefined()
  })
})
