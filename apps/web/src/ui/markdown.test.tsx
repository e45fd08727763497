import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Markdown } from './markdown.tsx'

it('renders headings, lists, tables and emphasis', () => {
  render(<Markdown text={'# Privacy\n\n## Data\n\n- **one**\n- *two*\n\n| a | b |\n| - | - |\n| c | d |'} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Privacy')
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Data')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['one', 'two'])
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['c', 'd'])
})

it('starts its headings at the level of the place, and ends at six', () => {
  render(<Markdown text={'# One\n\n## Two\n\n#### Four'} topLevel={4} />)
  expect(screen.getAllByRole('heading').map(({ tagName }) => tagName)).toEqual(['H4', 'H5', 'H6'])
})

it('links to web pages and mail addresses only', () => {
  const targets = [
    'https://example.ma/a',
    'mailto:a@example.ma',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
  ]
  render(<Markdown text={targets.map((target) => `[to](${target})`).join('\n\n')} />)
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(targets.slice(0, 2))
  expect(screen.getAllByText('to')).toHaveLength(targets.length)
})

it('links to places of this site in the same tab, and numbers a list from its start', () => {
  render(<Markdown text={'[Terms](/#terms)\n\n3. three\n4. four'} />)
  const link = screen.getByRole('link')
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/#terms', null])
  expect(screen.getByRole<HTMLOListElement>('list').start).toBe(3)
})

it('opens a view of this site at its top, and leaves other places to the browser', () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue()
  render(<Markdown text={'[Terms](/#terms) [Devices](/#account-devices)'} />)
  fireEvent.click(screen.getByText('Terms'))
  expect(scrollTo.mock.calls).toEqual([[{ top: 0, behavior: 'instant' }]])
  expect(window.location.hash).toBe('#terms')
  expect(fireEvent.click(screen.getByText('Devices'))).toBe(true)
})

it('shows HTML as text and loads no picture', () => {
  const html = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  const { container } = render(
    <Markdown text={`${html}\n\ntext <b onclick=x>bold</b> ![chart](https://evil.example/p.png)`} />,
  )
  expect(container.querySelector('img, script, b')).toBeNull()
  expect(container.textContent).toContain(html)
  expect(container.textContent).toContain('chart')
})
