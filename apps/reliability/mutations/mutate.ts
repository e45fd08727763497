import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import ts from 'typescript'
import type { Fault } from './faults.ts'

const MIGRATIONS = 'drizzle/migrations'

const parse = (code: string) => ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true)

/** The syntax node of a pattern: an expression, an object in parentheses or its only property, or a statement. */
function patternOf(code: string): ts.Node {
  const [statement] = parse(code).statements
  if (!statement) throw new Error(`no pattern: ${code}`)
  if (!ts.isExpressionStatement(statement)) return statement
  const { expression } = statement
  if (!ts.isParenthesizedExpression(expression)) return expression
  const inner = expression.expression
  const [property, ...others] = ts.isObjectLiteralExpression(inner) ? inner.properties : []
  return property && others.length === 0 ? property : inner
}

const childrenOf = (node: ts.Node) =>
  node.getChildren().filter(({ kind }) => kind !== ts.SyntaxKind.CommaToken && kind !== ts.SyntaxKind.SemicolonToken)

/** Whether a node matches a pattern, ignoring layout; `bound` receives the text that `$` matched. */
function matches(pattern: ts.Node, node: ts.Node, bound: { text?: string }): boolean {
  if (ts.isIdentifier(pattern) && pattern.text === '$') {
    bound.text = node.getText()
    return true
  }
  if (pattern.kind !== node.kind) return false
  const [wanted, found] = [childrenOf(pattern), childrenOf(node)]
  if (wanted.length === 0 && found.length === 0) return pattern.getText() === node.getText()
  return (
    wanted.length === found.length && wanted.every((child, index) => matches(child, found[index] as ts.Node, bound))
  )
}

/** A file of the folder, and its text with the fault. Throws unless the fault's pattern matches exactly once. */
export async function mutate(folder: string, fault: Fault) {
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const found: { file: string; original: string; mutated: string }[] = []
  if ('unique' in fault) {
    const index = new RegExp(`CREATE UNIQUE (INDEX "${fault.unique}")`)
    const constraint = new RegExp(`(CONSTRAINT "${fault.unique}") UNIQUE ?\\([^)]*\\)`)
    for (const name of (await readdir(path.join(folder, MIGRATIONS))).filter((item) => item.endsWith('.sql'))) {
      const file = `${MIGRATIONS}/${name}`
      const original = await read(file)
      const mutated = original.replace(index, 'CREATE $1').replace(constraint, '$1 CHECK (true)')
      if (mutated !== original) found.push({ file, original, mutated })
    }
  } else {
    const { file, find, replace } = fault
    const original = await read(file)
    const pattern = patternOf(find)
    const visit = (node: ts.Node) => {
      const bound: { text?: string } = {}
      if (matches(pattern, node, bound)) {
        const { text: kept } = bound
        const text = kept === undefined ? replace : replace.replace('$', () => kept)
        const mutated = original.slice(0, node.getStart()) + text + original.slice(node.getEnd())
        found.push({ file, original, mutated })
      } else ts.forEachChild(node, visit)
    }
    visit(parse(original))
  }
  const [mutation] = found
  if (!mutation || found.length > 1) throw new Error(`${fault.what}: found ${found.length} times`)
  return mutation
}
