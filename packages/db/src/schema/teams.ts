import { limits, ROLE_CATEGORIES } from '@community/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { experience, timestamptz, users } from './accounts.ts'

export const roleCategory = pgEnum('role_category', ROLE_CATEGORIES)

export const roles = pgTable(
  'roles',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    emoji: text().notNull(),
    description: text().notNull(),
    category: roleCategory().notNull(),
    requirements: text().array().notNull().default(sql`'{}'`),
    position: integer().notNull().default(1000),
  },
  (t) => [uniqueIndex('roles_name_unique').on(sql`lower(${t.name})`)],
)

export const teams = pgTable(
  'teams',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    /** The contract's `nameKey` of the name, by which names are compared and sorted; unique. */
    nameKey: text().notNull(),
    description: text().notNull(),
    isActive: boolean().notNull().default(true),
    /** The chef; null in a team without members. */
    ownerId: uuid().references(() => users.id, { onDelete: 'set null' }),
    maxMembers: integer().notNull().default(limits.MAX_MEMBERS_DEFAULT),
    /** Updated in the transaction that changes the members, under this row's lock. */
    memberCount: integer().notNull().default(0),
    /** The sum of the best approved submission of each challenge; equals the sum of the ledger. */
    points: integer().notNull().default(0),
    challengesCompleted: integer().notNull().default(0),
    /** Since when the team has had at least its points; null without points. The leaderboard's first tie-breaker. */
    pointsReachedAt: timestamptz(),
    experience: experience(),
    /** Name and description, normalised by the contract's `searchKey`. */
    searchText: text().notNull().default(''),
    createdAt: timestamptz().notNull().defaultNow(),
    /** Set by each statement that changes the row, from the wall clock: under the row's lock it never goes back. */
    updatedAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('teams_name_unique').on(t.nameKey),
    index('teams_by_name').on(t.isActive, t.nameKey, t.id),
    index('teams_by_members').on(t.isActive, t.memberCount, t.nameKey, t.id),
    index('teams_by_points').on(t.isActive, t.points, t.nameKey, t.id),
    index('teams_by_challenges').on(t.isActive, t.challengesCompleted, t.nameKey, t.id),
    // Created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('teams_ranked').on(sql`(-${t.points})`, sql`coalesce(${t.pointsReachedAt}, 'infinity')`, t.nameKey),
    index('teams_updated').on(t.updatedAt),
    index('teams_owner').on(t.ownerId),
    index('teams_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    // Created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('teams_word_starts').using('gin', sql`word_starts(${t.searchText})`),
    check('teams_max_members', sql`${t.maxMembers} between 1 and 11`),
    check('teams_member_count', sql`${t.memberCount} between 0 and ${t.maxMembers}`),
    check('teams_points', sql`${t.points} >= 0 and ${t.challengesCompleted} >= 0`),
    check('teams_chef_of_members', sql`(${t.ownerId} is null) or (${t.memberCount} > 0)`),
    check('teams_empty_is_inactive', sql`${t.memberCount} > 0 or not ${t.isActive}`),
  ],
)

export const teamRolesNeeded = pgTable(
  'team_roles_needed',
  {
    teamId: uuid()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'restrict' }),
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: 'team_roles_needed_pk', columns: [t.teamId, t.roleId] }),
    index('team_roles_needed_role').on(t.roleId),
  ],
)

/** A membership, with the contact details the member gave when joining. */
export const teamMembers = pgTable(
  'team_members',
  {
    id: uuid().primaryKey().defaultRandom(),
    teamId: uuid()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    roleId: uuid().references(() => roles.id, { onDelete: 'set null' }),
    isChef: boolean().notNull().default(false),
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    github: text(),
    instagram: text(),
    portfolio: text(),
    bio: text(),
    experience: experience(),
    joinedAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    unique('team_members_once').on(t.teamId, t.userId),
    uniqueIndex('team_members_one_chef').on(t.teamId).where(sql`${t.isChef}`),
    index('team_members_user').on(t.userId),
    index('team_members_role').on(t.roleId),
  ],
)

/** Former members: administrators must not evaluate submissions of a team they were in. */
export const pastMembers = pgTable(
  'past_members',
  {
    teamId: uuid()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    leftAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'past_members_pk', columns: [t.teamId, t.userId] }),
    index('past_members_user').on(t.userId),
  ],
)
