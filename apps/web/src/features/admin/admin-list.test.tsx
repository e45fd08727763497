import { aPagination } from '@community/testing'
import { act, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps, ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../../test/sign-in.ts'
import { storeListValues } from '../../lib/list-values.ts'
import { tabStore } from '../../lib/storage.ts'
import { ListLayout } from './admin-list.tsx'
import { useAdminSearch } from './use-admin-search.ts'

interface ListProps {
  isPlaceholderData: boolean
  isEmpty?: boolean
  listState?: ComponentProps<typeof ListLayout>['listState']
  pagination?: ReturnType<typeof aPagination> & { totalIsCapped?: true }
  isPending?: boolean
  empty?: ReactNode
}

function List(props: ListProps) {
  const { isPlaceholderData, isEmpty = false, listState, pagination = aPagination(1), isPending = false } = props
  const { empty = <p>No users</p> } = props
  const ownState = useAdminSearch()
  const query = {
    data: isPending ? undefined : { pagination },
    error: null,
    isPending,
    isError: false,
    isFetching: isPlaceholderData,
    isPlaceholderData,
    refetch: () => Promise.resolve(),
  }
  return (
    <ListLayout
      listState={listState ?? ownState}
      toolbar={null}
      query={query}
      isEmpty={isEmpty}
      pagesLabel="Pages"
      empty={empty}
    >
      <p>Sara</p>
    </ListLayout>
  )
}

it('marks the rows of the previous search as busy until those of the new one are there', () => {
  const { rerender } = render(<List isPlaceholderData />)
  const busy = () => screen.getByText('Sara').parentElement?.getAttribute('aria-busy')
  expect(busy()).toBe('true')
  rerender(<List isPlaceholderData={false} />)
  expect(busy()).toBeNull()
})

it('says that it is empty only once that is known: not while it goes to the last page or loads that', () => {
  const { result } = renderHook(() => useAdminSearch())
  act(() => result.current.setPage(2))
  const { rerender } = render(<List isEmpty isPlaceholderData={false} listState={result.current} />)
  const isEmptyShown = () => screen.queryByText('No users') !== null
  expect([isEmptyShown(), screen.queryByText('Loading...') !== null]).toEqual([false, true])
  expect(result.current.page).toBe(1)
  rerender(<List isEmpty isPlaceholderData listState={result.current} />)
  expect(isEmptyShown()).toBe(false)
  rerender(<List isEmpty isPlaceholderData={false} listState={result.current} />)
  expect(isEmptyShown()).toBe(true)
})

it('announces how many results there are, also if they are not counted further', () => {
  const { rerender } = render(<List isPlaceholderData={false} isPending />)
  const [count] = screen.getAllByRole('status')
  expect(count?.textContent).toBe('')
  rerender(<List isPlaceholderData={false} />)
  expect(count?.textContent).toBe('1 result')
  rerender(<List isPlaceholderData={false} pagination={{ ...aPagination(10_000), totalIsCapped: true }} />)
  expect(count?.textContent).toBe('10,000+ results')
  rerender(<List isPlaceholderData={false} isEmpty pagination={aPagination(0)} />)
  expect(count?.textContent).toBe('0 results')
})

describe('the search, page and filters of a list', () => {
  const openList = () =>
    renderHook(() => useAdminSearch('users', { role: ['', 'member'], order: ['new', 'old'] })).result

  it('survive a reload, for the same user', () => {
    signIn()
    const first = openList()
    act(() => first.current.update({ role: 'member', order: 'old' }, 'sara'))
    act(() => first.current.setPage(3))
    expect(openList().current).toMatchObject({
      search: 'sara',
      input: { page: 3, limit: 100, search: 'sara' },
      filters: { role: 'member', order: 'old' },
    })
    signIn({ id: '00000000-0000-4000-8000-000000000009' })
    expect(openList().current).toMatchObject({ search: '', page: 1, filters: { role: '', order: 'new' } })
  })

  it.each(['{"page":"x","role":"chef","search":7}', '{"page":101}', '[]', 'nonsense'])(
    'are the initial ones where %s is stored',
    (text) => {
      tabStore.write('list users ', text)
      expect(openList().current).toMatchObject({ search: '', page: 1, filters: { role: '', order: 'new' } })
    },
  )
})

it('clears the search and the filters, not the order, from its empty state', async () => {
  const { result } = renderHook(() => useAdminSearch('users', { role: ['', 'member'], order: ['new', 'old'] }))
  const { rerender } = render(<List isEmpty isPlaceholderData={false} listState={result.current} empty="No users" />)
  const show = () => rerender(<List isEmpty isPlaceholderData={false} listState={result.current} empty="No users" />)
  act(() => result.current.update({ order: 'old' }))
  show()
  expect(screen.queryByRole('button', { name: /Clear/ })).toBeNull()
  act(() => result.current.update({ role: 'member' }))
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(result.current).toMatchObject({ isFiltered: false, filters: { role: '', order: 'old' } })
})

it('clears the search of a list without filters', async () => {
  signIn()
  storeListValues('teams', { search: 'sara' })
  const { result } = renderHook(() => useAdminSearch('teams', { order: ['new', 'old'] }))
  render(<List isEmpty isPlaceholderData={false} listState={result.current} empty="No teams" />)
  await userEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(result.current.search).toBe('')
})

it('loads pages beyond row 10,000 by cursor, and returns to the first page on a new search', () => {
  const { result } = renderHook(() => useAdminSearch())
  const goTo = (page: number, cursor?: string) => act(() => result.current.setPage(page, cursor))
  goTo(100, 'hundred')
  expect(result.current.input).toEqual({ page: 100, limit: 100 })
  goTo(101, 'next')
  goTo(102, 'after')
  expect(result.current.input).toEqual({ page: 102, limit: 100, cursor: 'after' })
  goTo(101)
  expect(result.current.input).toEqual({ page: 101, limit: 100, cursor: 'next' })
  act(() => result.current.setSearch('sara'))
  expect(result.current.input).toEqual({ page: 1, limit: 100 })
  goTo(101)
  expect(result.current.input).toEqual({ page: 101, limit: 100 })
})
