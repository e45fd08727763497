import { type Browser, expect } from '@playwright/test'
import { test } from '../test.ts'
import { applyToChallenge, evaluateSubmission, uploadPicture } from './challenge-steps.ts'
import { expectAccessible } from './accessibility.ts'
import {
  callApi,
  createChallenge,
  createTeam,
  holdRequests,
  openApp,
  PHONE,
  registerMember,
  url,
  randomWord,
} from './steps.ts'
import { sampledVariants, openVariant } from './team-steps.ts'

// The works are created once for all tests.
test.describe.configure({ mode: 'default' })
test.use({ keepsContent: true })

const PAGE_SIZE = 12
/** A word in the name of the searched team. */
const tag = `${randomWord()}${randomWord()}`

// One more than a page: a picture first, then links, the best scored in the middle.
test.beforeAll(async ({ browser }) => {
  const chef = await registerMember()
  const team = await createTeam(chef, `Works ${tag}`)
  const links = ['https://youtu.be/a1', 'https://soundcloud.com/atlas/gnawa', 'https://github.com/atlas/tram']
  let count = 0
  while (count <= PAGE_SIZE) {
    const challenge = await createChallenge({ maxSubmissions: 5 })
    for (let slot = 0; slot < 5 && count <= PAGE_SIZE; slot++, count++) {
      const content = links[count % links.length] ?? ''
      const work =
        count === 0
          ? await uploadPicture(chef, 'first.png', await drawPicture(browser))
          : { type: 'link', content: `${content}?n=${count}` }
      await evaluateSubmission(await applyToChallenge(chef, team, challenge, work), {
        status: 'approved',
        score: count === 6 ? 99 : 20 + count,
      })
    }
  }
  const works = () =>
    callApi<{ submissions: { preview: { thumbnails: object[] } | null }[] }>(
      `GET /submissions/approved?search=${tag}&sort=oldest`,
    )
  await expect.poll(async () => (await works()).submissions[0]?.preview?.thumbnails.length, { timeout: 30_000 }).toBe(4)
})

/** A picture of 1000 x 500 pixels. */
async function drawPicture(browser: Browser) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 500 } })
  await page.setContent('<body style="background: linear-gradient(90deg, #1e4aa6, #e5a11a)">')
  const picture = Buffer.from(await page.screenshot())
  await page.close()
  return picture
}

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
    const searchResponse = page.waitForResponse((response) => response.url().includes(tag))
    await section.getByRole('searchbox').fill(tag)
    await searchResponse
    await expect(section.locator('[aria-busy=true]')).toHaveCount(0)
    await expect(cards).toHaveCount(PAGE_SIZE)
    await expect(cards.first().getByRole('link')).toHaveAttribute('href', new RegExp(`n=${PAGE_SIZE}$`))
    // The search may have scrolled a control half under the header, which makes its target too small.
    await section.evaluate((element) => element.scrollIntoView())
    await expectAccessible(page)
    expect(files, 'nothing heavy, nothing from elsewhere').toEqual([])
    await section.getByRole('button', { name: t('Show more') }).click()
    await expect(cards).toHaveCount(PAGE_SIZE + 1)
    await expect(cards.last()).toBeFocused()
    await section.getByLabel(t('Sort by')).selectOption('highest')
    await expect(cards.first().getByText('99/100')).toBeVisible()
    await section.getByLabel(t('Sort by')).selectOption('oldest')
    await expect(cards.first().getByRole('link')).toContainText(t('PNG image'))
    await expect(cards.nth(1).getByRole('link')).toContainText(`${t('Audio')} · SoundCloud`)
    await expect(cards.nth(3).getByRole('link')).toContainText(`YouTube${t('Video')} · youtu.be`)
    const picture = cards.first().getByRole('img', { name: `Works ${tag}` })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)).toBe(true)
    expect([...new Set(files)], 'one thumbnail').toEqual([expect.stringMatching(/\/thumbnails\/(480|960)\.avif$/)])
    await expectAccessible(page)

    await cards
      .nth(3)
      .getByRole('button', { name: new RegExp(`${t('Share')}|Works ${tag}`) })
      .click()
    const share = page.getByRole('dialog', { name: t('Share'), exact: true })
    await expect(share.getByRole('textbox', { name: t('Link') })).toHaveValue(/youtu\.be\/a1/)
    await page.keyboard.press('Escape')
    await section.getByRole('searchbox').fill(`${tag} nothing`)
    await expect(section.getByText(t('No works found'))).toBeVisible()
    await expectAccessible(page)
    await section.getByRole('button', { name: t('Clear search') }).click()
    await expect(cards.first()).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

test('on a phone, the space of a picture is reserved before it is loaded', async ({ browser }) => {
  const { page, consoleErrors } = await openApp(browser, { viewport: PHONE })
  const release = await holdRequests(page, '**/thumbnails/**')
  const section = page.locator('#works')
  await section.getByRole('searchbox').fill(tag)
  await section.getByLabel('Sort by').selectOption('oldest')
  const card = section.getByRole('listitem').first()
  const picture = card.getByRole('img', { name: `Image submitted by Works ${tag}` })
  await picture.scrollIntoViewIfNeeded()
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
  const reserved = await card.boundingBox()
  expect(await width()).toBe(0)
  release()
  await expect.poll(width).toBeGreaterThan(300)
  expect((await card.boundingBox())?.height).toBe(reserved?.height)
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
