/** Arabic text may have direction marks after an address. */
const CHARACTER = String.raw`[^\s()<>"\u061c\u200e\u200f]`
const AUTHORITY = String.raw`[^\s/?#]*`
/** A web address without credentials. Its parentheses are in pairs; punctuation after it belongs to the sentence. */
const ADDRESS = new RegExp(
  `(https?://(?!${AUTHORITY}@)(?:\\(${CHARACTER}*\\)|${CHARACTER})*(?:\\(${CHARACTER}*\\)|(?![.,;:!?'’”»،؛؟…])${CHARACTER}))`,
  'i',
)

/** Renders plain text, with its web addresses as links. For texts by administrators: the links are not marked as user content. */
export function LinkedText({ text }: { text: string }) {
  // Addresses have odd positions, because `split` keeps what the group matched.
  return text.split(ADDRESS).map((part, position) =>
    position % 2 === 0 ? (
      part
    ) : (
      <a
        key={position}
        href={part}
        target="_blank"
        rel="noopener noreferrer"
        dir="ltr"
        className="text-primary underline underline-offset-2 wrap-anywhere"
      >
        {part}
      </a>
    ),
  )
}
