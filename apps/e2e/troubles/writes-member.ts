import { expect, type Page } from '@playwright/test'
import { applied, findChallenge, judged, PIXEL } from '../tests/challenge-steps.ts'
import { challenged, founded, registered, type SignedInPerson, word } from '../tests/steps.ts'
import { comeBack, teamOfThree } from '../tests/team-steps.ts'
import { dialogOf, openBy } from '../walk/scene.ts'
import { type Filled, type Place, plainly, twice, type Write } from './place.ts'
import { NETWORK } from './trouble.ts'

const write = (reach: Write['reach']): Write => ({ kind: 'write', reach })
const isSaid = (page: Page, text: string) => () => expect(page.getByText(text).first()).toBeVisible()

async function signedIn(page: Page, person: SignedInPerson): Promise<void> {
  await comeBack(page, person)
  await expect(page.getByRole('button', { name: `Account of ${person.name}` })).toBeVisible()
}

/** A team of three, opened by its chef or by a mate. */
async function ownTeam(page: Page, who: 'chef' | 'mate' = 'chef') {
  const { chef, mates, team } = await teamOfThree()
  await signedIn(page, who === 'chef' ? chef : mates[0])
  await openBy(page, 'openTeam', { teamId: team.id })
  await expect(dialogOf(page).getByRole('heading', { name: 'Members' })).toBeVisible()
  return { chef, mates, team }
}

/** Something that a question asks before it is done. */
async function question(page: Page, opener: string, confirm: string, done: string): Promise<Filled> {
  await dialogOf(page).getByRole('button', { name: opener }).first().click()
  const asked = page.getByRole('alertdialog')
  await expect(asked).toBeVisible()
  return {
    within: asked,
    kept: [],
    send: () => asked.getByRole('button', { name: confirm, exact: true }).click(),
    told: twice(),
    done: isSaid(page, done),
  }
}

/** A chef with a team, and a challenge that is open. */
async function contest(page: Page) {
  const chef = await registered()
  const [team, challenge] = [await founded(chef), await challenged()]
  return { chef, team, challenge, come: () => signedIn(page, chef) }
}

const LINK = 'https://github.com/atlas-lions/bus-times'
const same = (text: string) => text

async function openApply(page: Page, title: string) {
  const card = await findChallenge(page, title, same)
  await card.getByRole('button', { name: `Apply to ${title}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply to Challenge' })
  await expect(dialog).toBeVisible()
  return dialog
}

/** What members do with teams and challenges. */
export const MEMBER_WRITES: Record<string, Place> = {
  'teams.create': write(async (page) => {
    await signedIn(page, await registered())
    await openBy(page, 'openCreateTeamModal')
    const wizard = dialogOf(page)
    const next = wizard.getByRole('button', { name: 'Next' })
    await wizard.getByLabel('Phone').fill('0612345678')
    await wizard.getByLabel('Experience').selectOption({ index: 2 })
    await next.click()
    await wizard.getByLabel('Team Name').fill(`Zellige ${word()} ${word()}`)
    await wizard.getByLabel('Description').fill('We build small, useful things and ship them every week.')
    await wizard.getByLabel('Team Experience Level').selectOption('Intermediate')
    await next.click()
    const role = wizard.getByLabel('Backend Developer')
    await role.check()
    return {
      kept: [],
      send: async () => {
        await expect(role).toBeChecked()
        await wizard.getByRole('button', { name: 'Create Team' }).click()
      },
      told: (trouble) => {
        const words = trouble === 'cut' ? NETWORK : 'Failed to create team'
        return { toast: ['Team Creation Failed', words], words: [words] }
      },
      done: isSaid(page, 'Team Created!'),
    }
  }),
  'teams.join': write(async (page) => {
    const team = await founded(await registered())
    await signedIn(page, await registered('Youssef Benali'))
    await openBy(page, 'openTeam', { teamId: team.id })
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: 'Join This Team' }).click()
    await dialog.getByLabel('Phone').fill('0612345678')
    await dialog.getByLabel('Experience').selectOption('Beginner')
    return {
      kept: [
        [dialog.getByLabel('Phone'), '0612345678'],
        [dialog.getByLabel('Experience'), 'Beginner'],
      ],
      send: () => dialog.getByRole('button', { name: 'Join Team' }).click(),
      told: (trouble) => {
        const words = trouble === 'cut' ? NETWORK : 'Failed to join team. Please try again.'
        return { toast: ['Join Team Failed', words], words: [words] }
      },
      done: isSaid(page, 'Success!'),
    }
  }),
  'teams.leave': write(async (page) => {
    await ownTeam(page, 'mate')
    return question(page, 'Leave Team', 'Leave Team', 'Left Team')
  }),
  'teams.update': write(async (page) => {
    const { team } = await ownTeam(page)
    await dialogOf(page).getByRole('button', { name: 'Edit', exact: true }).click()
    const edit = page.getByRole('dialog', { name: `Edit ${team.name}` })
    const words = 'We build quiet things, and ship them on Fridays.'
    await edit.getByLabel('Description').fill(words)
    return {
      within: edit,
      kept: [[edit.getByLabel('Description'), words]],
      send: () => edit.getByRole('button', { name: 'Save' }).click(),
      told: twice(),
      done: isSaid(page, 'Team Updated'),
    }
  }),
  'teams.remove': write(async (page) => {
    await ownTeam(page)
    return question(page, 'Delete', 'Delete', 'Team Deleted')
  }),
  'teams.removeMember': write(async (page) => {
    const { mates } = await ownTeam(page)
    return question(page, `Remove Member ${mates[0].name}`, 'Remove Member', 'Member Removed')
  }),
  'teams.transferOwnership': write(async (page) => {
    const { mates } = await ownTeam(page)
    await dialogOf(page).getByRole('button', { name: 'Transfer Ownership' }).click()
    const dialog = page.getByRole('dialog', { name: 'Transfer Ownership' })
    const heir = dialog.getByRole('radio', { name: mates[0].name })
    await heir.check()
    return {
      within: dialog,
      kept: [],
      send: async () => {
        await expect(heir).toBeChecked()
        await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
      },
      told: twice(),
      done: isSaid(page, 'Ownership Transferred'),
    }
  }),
  'challenges.applyTo': write(async (page) => {
    const { challenge, come } = await contest(page)
    await come()
    const dialog = await openApply(page, challenge.title)
    await dialog.getByLabel('Project link').fill(LINK)
    await dialog.getByLabel('Notes').fill('First version')
    return {
      within: dialog,
      kept: [
        [dialog.getByLabel('Project link'), LINK],
        [dialog.getByLabel('Notes'), 'First version'],
      ],
      send: () => dialog.getByRole('button', { name: 'Submit Application' }).click(),
      told: twice(),
      done: isSaid(page, 'Application submitted successfully!'),
    }
  }),
  'challenges.submit': write(async (page) => {
    const { challenge, team, come } = await contest(page)
    await come()
    const card = await findChallenge(page, challenge.title, same)
    await card.getByRole('button', { name: challenge.title, exact: true }).click()
    await page.getByRole('dialog', { name: challenge.title }).getByRole('button', { name: 'Submit Project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Submit Project' })
    await dialog.getByLabel('Project link').fill(LINK)
    return {
      within: dialog,
      kept: [
        [dialog.getByLabel('Team name'), team.name],
        [dialog.getByLabel('Project link'), LINK],
      ],
      send: () => dialog.getByRole('button', { name: 'Submit Project' }).click(),
      told: twice(),
      done: isSaid(page, 'Application submitted successfully!'),
    }
  }),
  'submissions.setStatus': write(async (page) => {
    const { chef, team, challenge, come } = await contest(page)
    await judged(await applied(chef, team, challenge), { status: 'rejected', feedback: 'Please add the source.' })
    await come()
    const mine = page.locator('#challenges')
    await mine.getByRole('tab', { name: 'My Applications' }).click()
    await mine.getByRole('button', { name: 'Re-apply' }).click()
    const dialog = page.getByRole('dialog', { name: 'Re-apply' })
    return {
      within: dialog,
      kept: [],
      send: async () => {
        await expect(dialog.getByRole('radio', { name: 'The same work' })).toBeChecked()
        await dialog.getByRole('button', { name: 'Re-apply' }).click()
      },
      told: twice(),
      done: isSaid(page, 'Submission status updated to pending. Waiting for admin review.'),
    }
  }),
  '/api/upload/single': write(async (page) => {
    const { challenge, come } = await contest(page)
    await come()
    const dialog = await openApply(page, challenge.title)
    await dialog.getByRole('radio', { name: /^Upload/ }).check()
    const file = { name: 'screen.png', mimeType: 'image/png', buffer: PIXEL }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByLabel('Notes').fill('First version')
    const alerts: string[] = []
    page.on('dialog', (alert) => {
      alerts.push(alert.message())
      void alert.accept()
    })
    return {
      within: dialog,
      kept: [[dialog.getByLabel('Notes'), 'First version']],
      send: async () => {
        await expect(dialog.getByText(file.name)).toBeVisible()
        // The browser's own alert says what stands in place.
        expect(await dialog.locator('[role=alert]:not(.toast *)').allTextContents()).toEqual(alerts.slice(-1))
        await dialog.getByRole('button', { name: /^(Submit Application|Try Again)$/ }).click()
      },
      told: (trouble) => {
        if (trouble === 'html') return { words: ['File upload failed. Please try again.'] }
        return { words: plainly()(trouble).words.map((one) => `File upload failed: ${one}`) }
      },
      done: isSaid(page, 'Application submitted successfully!'),
    }
  }),
}
