import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Pagination } from './pagination.tsx'

describe('Pagination', () => {
  it('keeps the focus on the pressed button, also on the first and last page', async () => {
    const onPage = vi.fn<(page: number) => void>()
    function Pages() {
      const [page, setPage] = useState(1)
      onPage.mockImplementation(setPage)
      return <Pagination label="Pages of users" page={page} totalPages={2} onPage={onPage} />
    }
    render(<Pages />)
    for (const name of ['Next', 'Previous']) {
      const button = screen.getByRole('button', { name })
      await userEvent.click(button)
      expect(button.getAttribute('aria-disabled')).toBe('true')
      expect(button.hasAttribute('disabled')).toBe(false)
      expect(document.activeElement).toBe(button)
      await userEvent.click(button)
    }
    expect(onPage.mock.calls).toEqual([[2], [1]])
  })

  it('says that there are more pages than known, except on the last', () => {
    const onPage = () => {}
    const { rerender } = render(
      <Pagination label="Pages of users" page={1} totalPages={11} isTotalCapped onPage={onPage} />,
    )
    screen.getByText('Page 1 of 11+')
    rerender(<Pagination label="Pages of users" page={11} totalPages={11} isTotalCapped onPage={onPage} />)
    screen.getByText('Page 11 of 11')
  })
})
