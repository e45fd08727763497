import type { Challenge, Resource } from '@community/contract'
import { msg } from '../lib/i18n.ts'

export type Category = Challenge['category']
export type Difficulty = Challenge['difficulty']

/** English labels of the categories; translate with `t`. Not derived from the contract's schemas, which would load zod. */
export const CATEGORY_LABELS: Record<Category, string> = {
  'Web Development': msg('Web Development'),
  'Mobile Development': msg('Mobile Development'),
  'Data Science': msg('Data Science'),
  'AI/ML': msg('AI/ML'),
  DevOps: msg('DevOps'),
  Design: msg('Design'),
  Other: msg('Other'),
}

export const DIFFICULTY_LABELS: Record<Difficulty, string> = {
  Beginner: msg('Beginner'),
  Intermediate: msg('Intermediate'),
  Advanced: msg('Advanced'),
  Expert: msg('Expert'),
}

export const RESOURCE_LABELS: Record<Resource['type'], string> = {
  documentation: msg('Documentation'),
  tutorial: msg('Tutorial'),
  example: msg('Example'),
  tool: msg('Tool'),
}

// Object.keys loses the type of a record's keys. The types above make the three records complete.
export const CATEGORIES = Object.keys(CATEGORY_LABELS) as Category[]
export const DIFFICULTIES = Object.keys(DIFFICULTY_LABELS) as Difficulty[]
export const RESOURCE_TYPES = Object.keys(RESOURCE_LABELS) as Resource['type'][]
