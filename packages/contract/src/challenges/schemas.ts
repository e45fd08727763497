import { z } from 'zod'
import {
  CHALLENGE_DESCRIPTION_LENGTH_MAX,
  CHALLENGE_POINTS,
  LINK_LENGTH_MAX,
  LIST_ITEM_LENGTH_MAX,
  MAX_SUBMISSIONS,
  REQUIREMENTS_MAX,
  RESOURCES_MAX,
  TAGS_MAX,
  TITLE_LENGTH_MAX,
} from '../limits.ts'
import { Count, ids, line, Link, PageSince, text, Timestamp, WRONG_TIME } from '../primitives.ts'
import { lineOf, OPTIONAL_LINK, VISIBLE_TEXT } from '../patterns.ts'
import { searchIn } from '../search.ts'
import { limitText, rangeText } from '../registered-messages.ts'

export const CATEGORIES = [
  'Web Development',
  'Mobile Development',
  'Data Science',
  'AI/ML',
  'DevOps',
  'Design',
  'Other',
] as const
export const DIFFICULTIES = ['Beginner', 'Intermediate', 'Advanced', 'Expert'] as const
/** Sort orders of the administrators’ list; `deadline` is the public order, open ones first. */
export const CHALLENGE_SORTS = ['deadline', 'newest', 'title', 'points', 'submissions'] as const
export const RESOURCE_TYPES = ['documentation', 'tutorial', 'example', 'tool'] as const

export const Category = z.enum(CATEGORIES, 'Please select a valid category').meta({ id: 'Category' })
export const Difficulty = z.enum(DIFFICULTIES, 'Please select a valid difficulty').meta({ id: 'Difficulty' })

export const Resource = z
  .object({ title: z.string(), url: z.string(), type: z.enum(RESOURCE_TYPES) })
  .meta({ id: 'Resource' })
export type Resource = z.output<typeof Resource>

export const Challenge = z
  .object({
    ...ids,
    title: z.string(),
    description: z.string(),
    requirements: z.array(z.string()),
    deadline: Timestamp,
    points: Count,
    category: Category,
    difficulty: Difficulty,
    tags: z.array(z.string()),
    maxSubmissions: Count,
    evaluationCriteria: z.array(z.string()),
    resources: z.array(Resource),
    isActive: z.boolean(),
    submissionCount: Count,
    createdAt: Timestamp,
    updatedAt: Timestamp.describe(
      'When one of its fields last changed, the number of submissions included; not when its deadline passes',
    ),
  })
  .meta({ id: 'Challenge' })
export type Challenge = z.output<typeof Challenge>

const pointsBetween = ({ min, max }: { min: number; max: number }) => {
  const outOfRange = rangeText('Points must be between {min} and {max}', { min, max })
  return z.int('Points must be a whole number').min(min, outOfRange).max(max, outOfRange)
}
const PointsFilter = pointsBetween({ min: 0, max: CHALLENGE_POINTS.max })
const ChallengeFilters = {
  search: searchIn('title or description'),
  category: Category.optional().describe('Only challenges of this category'),
  difficulty: Difficulty.optional().describe('Only challenges of this difficulty'),
  minPoints: PointsFilter.optional().describe('Only challenges worth at least so many points'),
  maxPoints: PointsFilter.optional().describe('Only challenges worth at most so many points'),
  isActive: z.boolean().optional().describe('Only active or only inactive ones; inactive ones are for administrators'),
}
export const ChallengeListInput = z.object({ ...PageSince, ...ChallengeFilters })

/** Drops blank entries, like the create and edit dialogs. */
const textList = (max: number, tooLong: string, required?: string) =>
  z
    .array(text().max(LIST_ITEM_LENGTH_MAX, tooLong), required)
    .max(max, limitText('At most {n} entries', max))
    .overwrite((items) => items.filter((item) => item.trim() !== ''))

const ResourceInput = z.strictObject({
  title: line().max(TITLE_LENGTH_MAX).default(''),
  url: z.string().trim().max(LINK_LENGTH_MAX).meta({ pattern: OPTIONAL_LINK }).default(''),
  type: z.enum(RESOURCE_TYPES).default('documentation'),
})
const isComplete = ({ title, url }: z.output<typeof ResourceInput>): boolean => title !== '' && url !== ''

const requirements = (missing: string) =>
  textList(REQUIREMENTS_MAX, limitText('A requirement cannot exceed {n} characters', LIST_ITEM_LENGTH_MAX), missing)
    .refine((items) => items.length > 0, { error: missing, params: { code: 'REQUIREMENT_MISSING' } })
    .meta({ minItems: 1, contains: { type: 'string', pattern: VISIBLE_TEXT } })

const INVALID_MAX_SUBMISSIONS = rangeText('Maximum submissions must be between {min} and {max}', MAX_SUBMISSIONS)

/** The fields of a challenge, without defaults. */
const ChallengeFields = z.object({
  title: line('Title is required')
    .min(1, 'Title is required')
    .max(TITLE_LENGTH_MAX, limitText('Title cannot exceed {n} characters', TITLE_LENGTH_MAX))
    .meta({ pattern: lineOf(1), example: 'Bus times that work offline' }),
  description: text('Description is required')
    .min(1, 'Description is required')
    .max(
      CHALLENGE_DESCRIPTION_LENGTH_MAX,
      limitText('Description cannot exceed {n} characters', CHALLENGE_DESCRIPTION_LENGTH_MAX),
    )
    .meta({ pattern: VISIBLE_TEXT, example: 'Build a page that shows the next buses, also without a network.' }),
  requirements: requirements('At least one requirement is needed'),
  // Normalised to UTC; an offset can push the year beyond four digits, which makes the string longer.
  deadline: z.iso
    .datetime({ offset: true, error: ({ input }) => (input ? WRONG_TIME : 'Deadline is required'), abort: true })
    .overwrite((deadline) => new Date(deadline).toISOString())
    .refine((deadline) => deadline.length === 24, 'Deadline is too far away'),
  points: pointsBetween(CHALLENGE_POINTS),
  category: Category,
  difficulty: Difficulty,
  tags: textList(TAGS_MAX, limitText('A tag cannot exceed {n} characters', LIST_ITEM_LENGTH_MAX)),
  maxSubmissions: z
    .int(INVALID_MAX_SUBMISSIONS)
    .min(MAX_SUBMISSIONS.min, INVALID_MAX_SUBMISSIONS)
    .max(MAX_SUBMISSIONS.max, INVALID_MAX_SUBMISSIONS),
  evaluationCriteria: textList(
    REQUIREMENTS_MAX,
    limitText('A criterion cannot exceed {n} characters', LIST_ITEM_LENGTH_MAX),
  ),
  /** Drops resources without a title or URL; normalises the URLs. */
  resources: z
    .array(ResourceInput.strict())
    .max(RESOURCES_MAX)
    // Before the others are dropped, so that the paths have the indexes of the input.
    .superRefine((items, context) => {
      items.forEach((item, index) => {
        const [issue] = isComplete(item) ? (Link.safeParse(item.url).error?.issues ?? []) : []
        if (issue) context.addIssue({ code: 'custom', path: [index, 'url'], message: issue.message })
      })
    })
    .overwrite((items) =>
      items.filter(isComplete).map((item) => ({ ...item, url: Link.safeParse(item.url).data ?? item.url })),
    ),
  isActive: z.boolean(),
})
const fields = ChallengeFields.shape

export const ChallengeInput = ChallengeFields.extend({
  points: fields.points.default(CHALLENGE_POINTS.default),
  category: fields.category.default('Web Development'),
  difficulty: fields.difficulty.default('Beginner'),
  tags: fields.tags.default([]),
  maxSubmissions: fields.maxSubmissions.default(MAX_SUBMISSIONS.default),
  evaluationCriteria: fields.evaluationCriteria.default([]),
  resources: fields.resources.default([]),
  isActive: fields.isActive.default(true),
})
export type ChallengeInput = z.output<typeof ChallengeInput>

/** A partial update: omitted fields keep their value. */
export const ChallengeChange = ChallengeFields.extend({
  requirements: requirements('At least one requirement is required'),
}).partial()
export type ChallengeChange = z.output<typeof ChallengeChange>
