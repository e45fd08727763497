import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { createContext, Fragment, type ReactNode, useContext } from 'react'
import { goToView } from '../lib/navigation/navigation.ts'
import { onPlainClick } from '../lib/navigation/on-plain-click.ts'
import { parseHash } from '../lib/navigation/route.ts'

const SAFE_LINK = /^(?:https?|mailto):/i
/** A link to a place of this site, such as `/#terms`. */
const OWN_LINK = /^\/#/
const LINK = 'text-primary underline underline-offset-2'

const renderAll = (tokens: readonly Token[]): ReactNode =>
  // The text is static: a token's position is its identity. Without extensions there are no other tokens.
  tokens.map((token, position) => <Fragment key={position}>{render(token as MarkedToken)}</Fragment>)

const SIZES = ['text-2xl sm:text-3xl', 'pt-4 text-xl', 'pt-2 text-lg']
const TopLevelContext = createContext(1)

function Heading({ depth, tokens }: Tokens.Heading) {
  const level = Math.min(useContext(TopLevelContext) + depth - 1, 6)
  const Element = `h${level}` as 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6'
  return <Element className={SIZES[level - 1] ?? 'font-semibold'}>{renderAll(tokens)}</Element>
}

function List({ ordered, start, items }: Tokens.List) {
  const rows = items.map(({ tokens }, position) => <li key={position}>{renderAll(tokens)}</li>)
  return ordered ? (
    <ol start={start || undefined} className="list-decimal ps-6">
      {rows}
    </ol>
  ) : (
    <ul className="list-disc ps-6">{rows}</ul>
  )
}

function Table({ header, rows }: Tokens.Table) {
  return (
    <table className="w-full border-collapse text-start">
      <thead>
        <tr>
          {header.map(({ tokens }, column) => (
            <th key={column} scope="col" className="border-b border-control py-2 pe-4 text-start">
              {renderAll(tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map(({ tokens }, column) => (
              <td key={column} className="border-b border-line py-2 pe-4 align-top wrap-anywhere">
                {renderAll(tokens)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Link({ href, tokens }: Tokens.Link) {
  const children = renderAll(tokens)
  if (!SAFE_LINK.test(href) && !OWN_LINK.test(href)) return <>{children}</>
  const { view } = parseHash(OWN_LINK.test(href) ? href.slice(1) : '')
  return (
    <a
      href={href}
      {...(/^http/i.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}
      // The browser would keep the scroll position of the view that it leaves.
      {...(view !== 'public' && { onClick: onPlainClick(() => goToView(view, href.slice(1))) })}
      className={LINK}
    >
      {children}
    </a>
  )
}

function render(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading {...token} />
    case 'paragraph':
      return <p>{renderAll(token.tokens)}</p>
    case 'list':
      return <List {...token} />
    case 'table':
      return <Table {...token} />
    case 'blockquote':
      return <blockquote className="border-s-4 border-line ps-4">{renderAll(token.tokens)}</blockquote>
    case 'code':
      return <pre className="overflow-x-auto rounded-control bg-sunken p-3">{token.text}</pre>
    case 'hr':
      return <hr className="border-line" />
    case 'strong':
      return <strong>{renderAll(token.tokens)}</strong>
    case 'em':
      return <em>{renderAll(token.tokens)}</em>
    case 'del':
      return <del>{renderAll(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link {...token} />
    case 'text':
      return token.tokens ? renderAll(token.tokens) : token.text
    // HTML is shown as it was typed, a picture as its description.
    case 'html':
      return token.raw
    case 'escape':
    case 'image':
      return token.text
    default:
      return null
  }
}

interface MarkdownProps {
  text: string
  /** The level of a first-level heading: one below the heading that it stands under. Defaults to 1. */
  topLevel?: number
}

/** Markdown as React elements; nothing is parsed as HTML, and links lead to web pages and mail addresses only. */
export function Markdown({ text, topLevel = 1 }: MarkdownProps) {
  return <TopLevelContext value={topLevel}>{renderAll(Lexer.lex(text))}</TopLevelContext>
}
