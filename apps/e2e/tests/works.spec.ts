import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { applyToChallenge, evaluateSubmission, uploadPicture } from './challenge-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { createChallenge, createTeam, registerMember, url, word } from './steps.ts'
import { sampledVariants, openVariant } from './team-steps.ts'

// The works are created once for all tests.
test.describe.configure({ mode: 'default' })

const PAGE_SIZE = 12
/** A word in the name of the searched team. */
const tag = `${word()}${word()}`

// One more than a page: a picture first, then links, the best scored in the middle.
test.beforeAll(async () => {
  const chef = await registerMember()
  const team = await createTeam(chef, `Works ${tag}`)
  const links = ['https://youtu.be/a1', 'https://soundcloud.com/atlas/gnawa', 'https://github.com/atlas/tram']
  let count = 0
  while (count <= PAGE_SIZE) {
    const challenge = await createChallenge({ maxSubmissions: 5 })
    for (let slot = 0; slot < 5 && count <= PAGE_SIZE; slot++, count++) {
      const content = links[count % links.length] ?? ''
      const work =
        count === 0 ? await uploadPicture(chef, 'first.png') : { type: 'link', content: `${content}?n=${count}` }
      await evaluateSubmission(await applyToChallenge(chef, team, challenge, work), {
        status: 'approved',
        score: count === 6 ? 99 : 20 + count,
      })
    }
  }
})

for (const variant of sampledVariants('works'))
  test(`on ${variant.name}: works can be searched, sorted, paged through and shared, with the kind of each shown`, async ({
    browser,
  }) => {
    const { page, t, consoleErrors } = await openVariant(browser, variant)
    const files: string[] = []
    page.on('request', (request) => {
      const { host, pathname } = new URL(request.url())
      if (pathname.startsWith('/files/') || host !== new URL(url).host) files.push(request.url())
    })
    const section = page.locator('#works')
    const cards = section.getByRole('listitem')
    const searched = page.waitForResponse((response) => response.url().includes(tag))
    await section.getByRole('searchbox').fill(tag)
    await searched
    await expect(section.locator('[aria-busy=true]')).toHaveCount(0)
    await expect(cards).toHaveCount(PAGE_SIZE)
    await expect(cards.first().getByRole('link')).toContainText(`n=${PAGE_SIZE}`)
    // The search may have scrolled a control half under the header, which makes its target too small.
    await section.evaluate((element) => element.scrollIntoView())
    await expectAccessible(page)
    await section.getByRole('button', { name: t('Show more') }).click()
    await expect(cards).toHaveCount(PAGE_SIZE + 1)
    await section.getByLabel(t('Sort by')).selectOption('highest')
    await expect(cards.first().getByText('99/100')).toBeVisible()
    await section.getByLabel(t('Sort by')).selectOption('oldest')
    await expect(cards.first().getByRole('link')).toContainText(t('PNG image'))
    await expect(cards.nth(1).getByRole('link')).toContainText(`${t('Audio')} · SoundCloud`)
    await expect(cards.nth(3).getByRole('link')).toContainText(`${t('Video')} · YouTube`)
    expect(files, 'nothing heavy, nothing from elsewhere').toEqual([])
    await cards
      .first()
      .getByRole('button', { name: t('Show the picture') })
      .click()
    const picture = cards.first().getByRole('img', { name: 'first.png' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
    expect(files).toHaveLength(1)
    await expectAccessible(page)

    await cards
      .nth(3)
      .getByRole('button', { name: new RegExp(`${t('Share')}|Works ${tag}`) })
      .click()
    const share = page.getByRole('dialog', { name: t('Share'), exact: true })
    await expect(share.getByText(/youtu\.be\/a1/)).toBeVisible()
    await page.keyboard.press('Escape')
    await section.getByRole('searchbox').fill(`${tag} nothing`)
    await expect(section.getByText(t('No works found'))).toBeVisible()
    await expectAccessible(page)
    await section.getByRole('button', { name: t('Clear search') }).click()
    await expect(cards.first()).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('failed load'))
  test(`on ${variant.name}: works that fail to load can be loaded again`, async ({ browser }) => {
    const isAboutWorks = (address: URL) => address.pathname.includes('submissions.approved')
    const unavailable = { status: 503, contentType: 'application/json', body: '{"message":"away"}' }
    const { page, t } = await openVariant(browser, variant, {
      prepare: (newPage) => newPage.route(isAboutWorks, (route) => route.fulfill(unavailable)),
    })
    const section = page.locator('#works')
    await expect(section.getByText(t('Error Loading Works'))).toBeVisible()
    await expectAccessible(page)
    await page.unroute(isAboutWorks)
    await section.getByRole('button', { name: t('Try Again') }).click()
    await expect(section.getByRole('listitem').first()).toBeVisible()
  })
