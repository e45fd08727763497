import { clsx } from 'clsx'

/** Arabic text may have direction marks after an address. */
const CHARACTER = String.raw`[^\s()<>"\u061c\u200e\u200f]`
const AUTHORITY = String.raw`[^\s/?#]*`
/** A web address without credentials. Its parentheses are in pairs; punctuation after it belongs to the sentence. */
const ADDRESS = new RegExp(
  `(https?://(?!${AUTHORITY}@)(?:\\(${CHARACTER}*\\)|${CHARACTER})*(?:\\(${CHARACTER}*\\)|(?![.,;:!?'’”»،؛؟…])${CHARACTER}))`,
  'i',
)

interface LinkedTextProps {
  text: string
  /** Marks the links as user content. By default the text is an administrator's. */
  isByMember?: boolean
}

/** Renders plain text, with its web addresses as links. */
export function LinkedText({ text, isByMember = false }: LinkedTextProps) {
  // Addresses have odd positions, because `split` keeps what the group matched.
  return text.split(ADDRESS).map((part, position) =>
    position % 2 === 0 ? (
      part
    ) : (
      <a
        key={position}
        href={part}
        target="_blank"
        rel={clsx('noopener noreferrer', isByMember && 'nofollow ugc')}
        dir="ltr"
        className="text-primary underline underline-offset-2 wrap-anywhere"
      >
        {part}
      </a>
    ),
  )
}
