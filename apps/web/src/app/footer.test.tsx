import { publicSettings } from '@community/testing'
import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeBackend } from '../../test/fake-backend.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { Footer } from './footer.tsx'

afterEach(() => {
  document.head.querySelector('meta[name="application-name"]')?.remove()
})

function open(social: string[], chats: { chatGroup?: string; chatServer?: string } = {}) {
  const known = publicSettings()
  Object.assign(known.settings.links, { social, ...chats })
  fakeBackend({ 'system.settings': () => known })
  renderWithProviders(<Footer />)
}
describe('the footer', () => {
  it('lists the links of the settings in order, by the name of each service', async () => {
    const pages = [
      'https://www.linkedin.com/company/atlas',
      'https://github.com/atlas',
      'https://fr.linkedin.com.evil.example/',
      'https://social.example.ma/@atlas',
      'https://x.com/atlas',
    ]
    open(pages)
    const list = within(await screen.findByRole('list', { name: 'Follow us' }))
    const links = list.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(pages)
    expect(links.map((link) => link.getAttribute('aria-label'))).toEqual([
      'LinkedIn',
      'GitHub',
      'fr.linkedin.com.evil.example',
      'social.example.ma',
      'X',
    ])
    for (const link of links) {
      expect(link.getAttribute('target')).toBe('_blank')
      expect(link.getAttribute('rel')).toContain('noopener noreferrer')
    }
  })

  it('has no list without links in the settings', async () => {
    open([])
    // A link once the settings are known.
    await screen.findByRole('link', { name: 'WhatsApp group' })
    expect(screen.queryByRole('list', { name: 'Follow us' })).toBeNull()
  })

  it('has no chats that the settings do not name', async () => {
    open([], { chatGroup: '' })
    expect(await screen.findByRole('link', { name: 'Discord server' })).toBeDefined()
    expect(screen.queryByText('WhatsApp group')).toBeNull()
  })

  it('links to the privacy and terms pages', () => {
    open([])
    const hrefs = ['Privacy', 'Terms'].map((name) => screen.getByRole('link', { name }).getAttribute('href'))
    expect(hrefs).toEqual(['/#privacy', '/#terms'])
  })

  it('shows the name that the server wrote into the page', () => {
    document.head.insertAdjacentHTML('beforeend', '<meta name="application-name" content="Atlas &amp; Rif">')
    open([])
    expect(screen.getByText('Atlas & Rif')).toBeDefined()
    expect(screen.getByText('© 2025 Atlas & Rif')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Community' })).toBeDefined()
  })
})
