/** The last so many of a kind are remembered. */
const KEPT = 40

const KIND_OF: Record<string, string> = {
  team: 'teams',
  teamId: 'teams',
  leaderboard: 'teams',
  challenge: 'challenges',
  challengeId: 'challenges',
  submission: 'submissions',
  applications: 'submissions',
  user: 'users',
  userId: 'users',
  newOwnerId: 'users',
  ownerId: 'users',
  submittedBy: 'users',
  actorId: 'users',
  role: 'roles',
  rolesNeeded: 'roles',
  warning: 'warnings',
  entry: 'blacklist',
}

/** The kind of thing that a word of the product stands for: `teamId` and `team` for `teams`. */
export const kindOf = (word: string): string => KIND_OF[word] ?? word

/** Real ids, gathered from answers. */
export class KnownIds {
  readonly #ids = new Map<string, string[]>()

  add(kind: string, id: string): void {
    const ids = this.#ids.get(kind) ?? []
    this.#ids.set(kind, ids)
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > KEPT) ids.shift()
  }

  /** Something was deleted: of its kind, asking for it again is of little use. */
  forget(id: string): void {
    for (const [kind, ids] of this.#ids)
      this.#ids.set(
        kind,
        ids.filter((one) => one !== id),
      )
  }

  /** Takes every id of a success. */
  gather(value: unknown, word = ''): void {
    if (Array.isArray(value)) for (const one of value) this.gather(one, word)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'id' && typeof inner === 'string') this.add(kindOf(word), inner)
        else if (key.endsWith('Id') && typeof inner === 'string') this.add(kindOf(key), inner)
        else this.gather(inner, key)
      }
    }
  }

  /** One of a kind, by a number from 0 to 1; the newest ones are the likeliest. */
  pick(kind: string, turn: number): string | undefined {
    const ids = this.#ids.get(kind) ?? []
    return ids[ids.length - 1 - Math.floor(turn * turn * ids.length)]
  }
}
