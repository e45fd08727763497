import { expect, type Page } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { applied, judged } from '../tests/challenge-steps.ts'
import {
  adminToken,
  call,
  challenged,
  founded,
  PASSWORD,
  registered,
  type SignedInPerson,
  word,
} from '../tests/steps.ts'
import { comeBack, teamOfThree } from '../tests/team-steps.ts'
import { dialogOf } from '../walk/scene.ts'
import type { House } from './house.ts'
import { type Filled, type Place, twice, type Write } from './place.ts'
import { findUser, toTab } from './reads.ts'
import { SAID, type Trouble } from './trouble.ts'

/** As an administrator. */
const write = (reach: (page: Page, house: House) => Promise<Filled>): Write => ({
  kind: 'write',
  reach: async (page, house) => {
    await comeBack(page, house.boss)
    await expect(page.getByRole('button', { name: `Account of ${house.boss.name}` })).toBeVisible()
    return reach(page, house)
  },
})
const main = (page: Page) => page.locator('main')
const isSaid = (page: Page, text: string) => () => expect(page.getByText(text).first()).toBeVisible()

/** A failure of what a password confirms. */
const withPassword = (trouble: Trouble) => ({
  toast: ['Error', SAID[trouble]] as const,
  words: [trouble === 'html' ? 'Password verification endpoint not available' : SAID[trouble]],
})

/** The password that is asked for in a dialog of this title. */
async function password(page: Page, title: string, button: string, done: string): Promise<Filled> {
  const dialog = page.getByRole('dialog', { name: title }).filter({ has: page.getByLabel('Your password') })
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  return {
    within: dialog,
    kept: [[dialog.getByLabel('Your password', { exact: true }), PASSWORD]],
    send: () => dialog.getByRole('button', { name: button, exact: true }).click(),
    told: withPassword,
    done: isSaid(page, done),
  }
}

/** A question that is answered with yes. */
async function question(page: Page, button: string, done: string): Promise<Filled> {
  const asked = page.getByRole('alertdialog')
  await expect(asked).toBeVisible()
  return {
    within: asked,
    kept: [],
    send: () => asked.getByRole('button', { name: button, exact: true }).click(),
    told: twice(),
    done: isSaid(page, done),
  }
}

async function choose(page: Page, thing: string, action: string): Promise<void> {
  await main(page)
    .getByRole('button', { name: `Actions on ${thing}` })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Chooses what to do about a new member. */
async function aboutUser(page: Page, action: string, before?: (person: SignedInPerson) => Promise<unknown>) {
  const person = await registered(`Salma ${word()}`)
  await before?.(person)
  await findUser(page, person.email)
  await choose(page, person.name, action)
}

async function giveReason(page: Page): Promise<void> {
  await dialogOf(page).getByLabel('Reason').fill('Shouting in every room')
  await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
}

/** Chooses what to do about a new team. */
async function aboutTeam(page: Page, action: string, before?: (team: { id: string }) => Promise<unknown>) {
  const team = await founded(await registered())
  await before?.(team)
  await findTeam(page, team)
  await choose(page, team.name, action)
}

async function findTeam(page: Page, { name }: { name: string }): Promise<void> {
  await toTab(page, 'Teams')
  await main(page).getByLabel('Search teams').fill(name)
  await expect(main(page).getByRole('article')).toHaveCount(1)
}

async function findChallenge(page: Page, { title }: { title: string }): Promise<void> {
  await toTab(page, 'Challenges')
  await page.getByLabel('Search challenges').fill(title)
  await expect(main(page).getByRole('row')).toHaveCount(2)
}

async function aboutChallenge(page: Page, action: string, over: object = {}): Promise<void> {
  const challenge = await challenged(over)
  await findChallenge(page, challenge)
  await choose(page, challenge.title, action)
}

/** The row of a new submission. */
async function aSubmission(page: Page, verdict?: { status: string; score: number }) {
  const chef = await registered()
  const [team, challenge] = [await founded(chef), await challenged()]
  const id = await applied(chef, team, challenge)
  if (verdict) await judged(id, verdict)
  await toTab(page, 'Submissions')
  await page.getByLabel('Search submissions').fill(team.name)
  await expect(main(page).getByRole('row')).toHaveCount(2)
  return main(page).getByRole('row').last()
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16)

/** What administrators do. */
export const ADMIN_WRITES: Record<string, Place> = {
  'submissions.evaluate': write(async (page) => {
    await (await aSubmission(page)).getByRole('button', { name: 'Evaluate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Evaluate Submission' })
    await dialog.getByLabel('Score', { exact: true }).fill('87')
    await dialog.getByLabel('Feedback').fill('Clear and fast.')
    return {
      within: dialog,
      kept: [
        [dialog.getByLabel('Score', { exact: true }), '87'],
        [dialog.getByLabel('Feedback'), 'Clear and fast.'],
      ],
      send: () => dialog.getByRole('button', { name: 'Submit Evaluation' }).click(),
      told: twice(),
      done: isSaid(page, 'Submission evaluated successfully'),
    }
  }),
  'submissions.resetEvaluation': write(async (page) => {
    const row = await aSubmission(page, { status: 'approved', score: 80 })
    await row.getByRole('button', { name: 'Details' }).click()
    await dialogOf(page).getByRole('button', { name: 'Reset evaluation' }).click()
    return question(page, 'Reset evaluation', 'Evaluation taken back')
  }),
  'submissions.remove': write(async (page) => {
    await (await aSubmission(page)).getByRole('button', { name: 'Delete Submission' }).click()
    return password(page, 'Delete Submission', 'Delete Submission', 'Submission deleted successfully')
  }),
  'admin.warn': write(async (page) => {
    await aboutUser(page, 'Give Warning')
    await giveReason(page)
    return password(page, 'Give Warning', 'Give Warning', 'Warning given successfully')
  }),
  'admin.takeWarningBack': write(async (page) => {
    const person = await registered(`Salma ${word()}`)
    const token = await adminToken()
    await call('POST /admin/warnings', token, { userId: person.id, reason: 'Shouting', password: ADMIN.password })
    await findUser(page, person.email)
    await main(page).getByRole('button', { name: 'View Details' }).click()
    await dialogOf(page).getByRole('button', { name: 'Take back' }).click()
    return question(page, 'Take back', 'Warning removed')
  }),
  'admin.ban': write(async (page) => {
    await aboutUser(page, 'Ban User')
    await giveReason(page)
    return password(page, 'Ban User', 'Ban User', 'User banned successfully')
  }),
  'admin.unban': write(async (page) => {
    const token = await adminToken()
    await aboutUser(page, 'Unban User', ({ id }) =>
      call('POST /admin/ban', token, { userId: id, reason: 'Spam', password: ADMIN.password }),
    )
    return password(page, 'Unban User', 'Unban User', 'User unbanned successfully')
  }),
  'admin.setRole': write(async (page) => {
    await aboutUser(page, 'Make Admin')
    return password(page, 'Make Admin', 'Make Admin', 'Role changed')
  }),
  'admin.deleteUser': write(async (page) => {
    await aboutUser(page, 'Delete User')
    return password(page, 'Delete User', 'Delete User', 'User deleted successfully')
  }),
  'admin.renameTeam': write(async (page) => {
    await aboutTeam(page, 'Rename Team')
    await dialogOf(page).getByLabel('Team Name').fill(`Oudaya ${word()}`)
    await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
    return password(page, 'Confirm with your password', 'Rename Team', 'Team renamed to Oudaya')
  }),
  'admin.deactivateTeam': write(async (page) => {
    await aboutTeam(page, 'Deactivate Team')
    return question(page, 'Deactivate', 'Team deactivated successfully')
  }),
  'admin.activateTeam': write(async (page) => {
    const token = await adminToken()
    await aboutTeam(page, 'Activate Team', ({ id }) => call(`POST /admin/teams/${id}/deactivate`, token))
    return question(page, 'Activate', 'Team activated successfully')
  }),
  'admin.deleteTeam': write(async (page) => {
    await aboutTeam(page, 'Delete Team')
    return password(page, 'Delete Team', 'Delete Team', 'Team deleted successfully')
  }),
  'admin.cleanupTeams': write(async (page) => {
    await toTab(page, 'Teams')
    await main(page).getByRole('button', { name: 'Clean up teams' }).click()
    return question(page, 'Clean up', 'Teams cleaned up:')
  }),
  'admin.removeTeamMember': write(async (page) => {
    const { team, mates } = await teamOfThree()
    await findTeam(page, team)
    await main(page).getByRole('article').getByText('Members', { exact: true }).click()
    const line = main(page).getByRole('listitem').filter({ hasText: mates[0].email }).last()
    await line.getByRole('button', { name: 'Remove' }).click()
    return password(page, 'Remove Member', 'Remove', `${mates[0].name} removed from ${team.name}`)
  }),
  'admin.createChallenge': write(async (page) => {
    await toTab(page, 'Challenges')
    await main(page).getByRole('button', { name: 'Create Challenge' }).click()
    const form = page.getByRole('dialog', { name: 'Create Challenge' })
    const title = `Tram ${word()} ${word()}`
    await form.getByLabel('Title', { exact: true }).fill(title)
    await form.getByLabel('Description', { exact: true }).fill('A page that works in a tunnel.')
    await form.getByLabel('Requirement 1', { exact: true }).fill('Works offline')
    await form.getByLabel('Deadline', { exact: true }).fill(inDays(3))
    await form.getByRole('button', { name: 'Create Challenge', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create Challenge' }).click()
    const filled = await password(
      page,
      'Confirm with your password',
      'Create Challenge',
      'Challenge created successfully',
    )
    return { ...filled, kept: [...filled.kept, [form.getByLabel('Title', { exact: true }), title]] }
  }),
  'admin.updateChallenge': write(async (page) => {
    await findChallenge(page, await challenged())
    await main(page).getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Challenge' })
    await form.getByLabel('Points', { exact: true }).fill('300')
    await form.getByRole('button', { name: 'Save changes' }).click()
    const filled = await password(page, 'Confirm with your password', 'Save changes', 'Challenge updated successfully')
    return { ...filled, kept: [...filled.kept, [form.getByLabel('Points', { exact: true }), '300']] }
  }),
  'admin.deactivateChallenge': write(async (page) => {
    await aboutChallenge(page, 'Deactivate')
    return password(page, 'Deactivate Challenge', 'Deactivate', 'Challenge deactivated successfully')
  }),
  'admin.activateChallenge': write(async (page) => {
    await aboutChallenge(page, 'Activate', { isActive: false })
    return password(page, 'Activate Challenge', 'Activate', 'Challenge activated successfully')
  }),
  'admin.deleteChallenge': write(async (page) => {
    await aboutChallenge(page, 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Challenge' }).click()
    return password(page, 'Confirm with your password', 'Delete Challenge', 'Challenge deleted successfully')
  }),
  'admin.addToBlacklist': write(async (page) => {
    await toTab(page, 'Blacklist')
    await main(page).getByRole('button', { name: 'Add address' }).click()
    const form = page.getByRole('dialog', { name: 'Add to the blacklist' })
    const email = `spam${word()}@example.ma`
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Reason').fill('Casino links')
    return {
      within: form,
      kept: [
        [form.getByLabel('Email'), email],
        [form.getByLabel('Reason'), 'Casino links'],
      ],
      send: () => form.getByRole('button', { name: 'Add address' }).click(),
      told: twice(),
      done: isSaid(page, 'Address added to the blacklist'),
    }
  }),
  'admin.removeFromBlacklist': write(async (page) => {
    const email = `spam${word()}@example.ma`
    await call('POST /admin/blacklist', await adminToken(), { email, reason: 'Spam' })
    await toTab(page, 'Blacklist')
    await main(page).getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Remove' }).click()
    return question(page, 'Remove', 'Address removed from the blacklist')
  }),
  'admin.setTeamCreation': write(async (page) => {
    await toTab(page, 'Settings')
    await main(page).getByRole('switch', { name: 'Team Creation' }).click()
    const filled = await password(page, 'Disable Team Creation', 'Disable', 'Team creation disabled successfully')
    return {
      ...filled,
      done: async () => {
        await filled.done()
        const on = { enabled: true, password: ADMIN.password }
        await call('PUT /admin/settings/team-creation', await adminToken(), on)
      },
    }
  }),
}
