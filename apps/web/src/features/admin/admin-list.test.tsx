import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useAdminSearch } from './admin-list.tsx'

it('loads pages beyond row 10,000 by cursor, and returns to the first page on a new search', () => {
  const { result } = renderHook(() => useAdminSearch())
  const goTo = (page: number, cursor?: string) => act(() => result.current.setPage(page, cursor))
  goTo(100, 'hundred')
  expect(result.current.pageInput).toEqual({ page: 100 })
  goTo(101, 'next')
  goTo(102, 'after')
  expect(result.current.pageInput).toEqual({ page: 102, cursor: 'after' })
  goTo(101)
  expect(result.current.pageInput).toEqual({ page: 101, cursor: 'next' })
  act(() => result.current.setSearch('sara'))
  expect(result.current.pageInput).toEqual({ page: 1 })
  goTo(101)
  expect(result.current.pageInput).toEqual({ page: 101 })
})
