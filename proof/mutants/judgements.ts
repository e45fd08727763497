/** What became of a mutant that survived. */
export interface Judgement {
  file: string
  change: string
  /** Why it does what the original does: nobody could notice it. */
  equal?: string
  /** The test that was written for it. */
  now?: string
}

export const judgements: Judgement[] = []
