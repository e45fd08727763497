import { requestOf } from '@community/testing/api-client'
import { uploadFile } from '@community/testing/community'
import { expect, type Page } from '@playwright/test'
import type { Translate } from '../crawl/texts.ts'
import { adminToken, callApi, send, type SignedInUser, url } from './steps.ts'

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const HIGHLIGHT_MS = 'data-highlight-ms'

/**
 * Measures in the page how long an element is highlighted. From outside, a busy machine would see the highlight late, or miss its 3
 * seconds. For `prepare` of `openApp`.
 */
export const watchHighlight = (id: string) => (page: Page) =>
  page.addInitScript(
    ([elementId, attribute]) => {
      let since: number | undefined
      new MutationObserver(() => {
        const isHighlighted = document.getElementById(elementId)?.classList.contains('highlight') ?? false
        if (isHighlighted) since ??= performance.now()
        else if (since !== undefined && !document.documentElement.hasAttribute(attribute))
          document.documentElement.setAttribute(attribute, String(performance.now() - since))
      }).observe(document, { subtree: true, childList: true, attributeFilter: ['class'] })
    },
    [id, HIGHLIGHT_MS] as const,
  )

/** Waits for the end of the highlight; resolves with its milliseconds. */
export async function highlightMs(page: Page): Promise<number> {
  await expect(page.locator('html')).toHaveAttribute(HIGHLIGHT_MS, /\d/)
  return Number(await page.locator('html').getAttribute(HIGHLIGHT_MS))
}

/** Searches a challenge in the open tab and returns its card. */
export async function findChallenge(page: Page, title: string, t: Translate, search = title) {
  const section = page.locator('#challenges')
  await section.getByRole('searchbox').fill(search)
  await section.getByRole('button', { name: t('Apply Filters') }).click()
  const card = section.getByRole('listitem').filter({ has: page.getByRole('button', { name: title, exact: true }) })
  await expect(card).toHaveCount(1)
  return card
}

/** Opens the application form from the challenge's card. */
export async function openApplication(page: Page, title: string, t: Translate) {
  const card = await findChallenge(page, title, t)
  await card.getByRole('button', { name: t('Apply to {title}').replace('{title}', title) }).click()
  const dialog = page.getByRole('dialog', { name: t('Apply to Challenge') })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Applies over REST; resolves with the submission's id. */
export async function applyToChallenge(
  chef: SignedInUser,
  team: { id: string },
  challenge: { id: string },
  work: object = {},
): Promise<string> {
  const request = requestOf('challenges.applyTo', { id: challenge.id, teamId: team.id, ...work }, chef)
  return (await send<{ submission: { id: string } }>(request)).submission.id
}

/** A team's newest submission, in any status. */
export async function newestSubmission(team: { id: string }, member: SignedInUser): Promise<string> {
  const endpoint = `GET /teams/${team.id}/submissions?limit=1`
  const { submissions } = await callApi<{ submissions: { id: string }[] }>(endpoint, member.token)
  return submissions[0]?.id ?? ''
}

/** Evaluates a submission over REST. */
export async function evaluateSubmission(
  id: string,
  verdict: { status: string; score?: number; feedback?: string },
): Promise<void> {
  await callApi(`POST /submissions/${id}/evaluate`, await adminToken(), verdict)
}

/** Uploads a picture over REST for an application. */
export async function uploadPicture(person: SignedInUser, name: string, bytes = PIXEL): Promise<object> {
  const { url: content } = await uploadFile(url, person, bytes, name, 'image/png')
  return { type: 'upload', content }
}
