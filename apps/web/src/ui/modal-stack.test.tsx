import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toast } from '../lib/toasts.ts'
import { confirm } from '../lib/questions.ts'
import { QuestionDialogs } from './question-dialogs.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Menu } from './menu.tsx'
import { Sheet } from './sheet.tsx'
import { Toaster } from './toaster.tsx'

function Page() {
  const [shown, setShown] = useState<'dialog' | 'sheet' | null>(null)
  const close = () => setShown(null)
  return (
    <>
      <Button onClick={() => setShown('dialog')}>Open</Button>
      <Button onClick={() => setShown('sheet')}>Menu</Button>
      <p aria-live="polite">Page 1 of 3</p>
      <Dialog open={shown === 'dialog'} onOpenChange={close} title="Create Challenge">
        <Button onClick={() => void confirm({ title: 'Sure?' })}>Ask</Button>
      </Dialog>
      {shown === 'sheet' && (
        <Sheet onClose={close} title="Menu">
          <Button onClick={close}>Home</Button>
        </Sheet>
      )}
      <QuestionDialogs />
      <Toaster />
    </>
  )
}

let root: HTMLElement

beforeEach(() => {
  root = document.createElement('div')
  root.id = 'root'
  document.body.append(root)
  render(
    <StrictMode>
      <Page />
    </StrictMode>,
    { container: root },
  )
})
afterEach(() => {
  root.remove()
})

/** happy-dom has no top layer: in a browser everything outside the latest modal is inert. */
function isInert(element: Element): boolean {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1)
  return top !== undefined && !top.contains(element)
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('the page behind a modal', () => {
  it('is inert while the modal is open, live regions too', async () => {
    const opener = screen.getByRole('button', { name: 'Open' })
    expect(isInert(opener)).toBe(false)
    await press('Open')
    expect(isInert(opener)).toBe(true)
    expect(isInert(screen.getByText('Page 1 of 3'))).toBe(true)
    expect(isInert(screen.getByRole('dialog'))).toBe(false)
    await userEvent.keyboard('{Escape}')
    expect(isInert(opener)).toBe(false)
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('is inert behind the mobile menu', async () => {
    await press('Menu')
    expect(isInert(root)).toBe(true)
    await press('Home')
    expect(isInert(root)).toBe(false)
  })

  it('is inert with the lower dialog until the upper one closes', async () => {
    await press('Open')
    const asking = screen.getByRole('button', { name: 'Ask' })
    await press('Ask')
    const question = await screen.findByRole('alertdialog')
    expect([isInert(root), isInert(asking), isInert(question)]).toEqual([true, true, false])
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect([isInert(root), isInert(asking)]).toEqual([true, false])
    await waitFor(() => expect(document.activeElement).toBe(asking))
    await userEvent.keyboard('{Escape}')
    expect(isInert(root)).toBe(false)
  })
})

describe('Escape', () => {
  it('closes a question that just got the focus, not the dialog below it', async () => {
    const escape = (event: FocusEvent) => {
      const { target } = event
      if (target instanceof Element && target.closest('[role=alertdialog]'))
        fireEvent.keyDown(target, { key: 'Escape' })
    }
    document.addEventListener('focusin', escape)
    await press('Open')
    await press('Ask')
    document.removeEventListener('focusin', escape)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole('dialog', { name: 'Create Challenge' })).toBeDefined()
  })

  it('does not close the dialog while an input method composes', async () => {
    await press('Open')
    const dialog = screen.getByRole('dialog')
    fireEvent.keyDown(dialog, { key: 'Escape', isComposing: true })
    expect(dialog.isConnected).toBe(true)
    fireEvent.keyDown(dialog, { key: 'Escape' })
    expect(dialog.isConnected).toBe(false)
  })
})

/** As specified: a close request closes the newest watcher, which works once. */
class FakeCloseWatcher extends EventTarget {
  static readonly open: FakeCloseWatcher[] = []
  constructor() {
    super()
    FakeCloseWatcher.open.push(this)
  }
  destroy(): void {
    const index = FakeCloseWatcher.open.indexOf(this)
    if (index !== -1) FakeCloseWatcher.open.splice(index, 1)
  }
  static back(): void {
    const watcher = FakeCloseWatcher.open.pop()
    act(() => void watcher?.dispatchEvent(new Event('close')))
  }
}

describe('Back on a phone', () => {
  beforeEach(() => vi.stubGlobal('CloseWatcher', FakeCloseWatcher))
  it('closes only the topmost modal each time, then navigates', async () => {
    await press('Open')
    await press('Ask')
    await screen.findByRole('alertdialog')
    expect(FakeCloseWatcher.open).toHaveLength(1)
    FakeCloseWatcher.back()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole('dialog', { name: 'Create Challenge' })).toBeDefined()
    FakeCloseWatcher.back()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(FakeCloseWatcher.open).toEqual([])
  })

  it('closes an open menu before its dialog', async () => {
    const items = [{ label: 'Rename', onSelect: () => {} }]
    render(
      <Dialog open onOpenChange={() => {}} title="Webhooks">
        <Menu trigger={<Button>Actions</Button>} items={items} />
      </Dialog>,
    )
    await press('Actions')
    await screen.findByRole('menu')
    FakeCloseWatcher.back()
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Webhooks' })).toBeDefined()
  })

  it('closes the mobile menu', async () => {
    await press('Menu')
    FakeCloseWatcher.back()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(FakeCloseWatcher.open).toEqual([])
  })

  it('never closes a busy dialog, and closes it once it is idle', async () => {
    let fail = (_error: Error) => {}
    const run = () => new Promise<void>((_resolve, reject) => (fail = reject))
    act(() => void confirm({ title: 'Delete it?', run }))
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
    FakeCloseWatcher.back()
    FakeCloseWatcher.back()
    expect(screen.getByRole('alertdialog')).toBeDefined()
    await act(async () => fail(new Error('Not now')))
    FakeCloseWatcher.back()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(FakeCloseWatcher.open).toEqual([])
  })
})

describe('Back in the history', () => {
  const goBack = () => act(() => void window.dispatchEvent(new PopStateEvent('popstate')))

  it('closes every modal', async () => {
    await press('Open')
    await press('Ask')
    await screen.findByRole('alertdialog')
    goBack()
    expect(document.querySelector('dialog')).toBeNull()
  })

  it('closes neither a busy dialog nor the one below', async () => {
    await press('Open')
    let end = () => {}
    const run = () => new Promise<void>((resolve) => (end = resolve))
    act(() => void confirm({ title: 'Delete it?', run }))
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
    goBack()
    expect(screen.getByRole('alertdialog')).toBeDefined()
    expect(screen.getByRole('dialog', { name: 'Create Challenge' })).toBeDefined()
    await act(async () => end())
    goBack()
    expect(document.querySelector('dialog')).toBeNull()
  })
})

describe('a toast', () => {
  it('is shown in the topmost modal, and on the page after it closes', async () => {
    act(() => void toast.error('Not saved', undefined, { duration: 60_000 }))
    const shown = () => screen.getByText('Not saved', { selector: 'li *' })
    await press('Open')
    expect(screen.getByRole('dialog').contains(shown())).toBe(true)
    await press('Ask')
    const question = await screen.findByRole('alertdialog')
    expect(question.contains(shown())).toBe(true)
    expect(isInert(shown())).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
    await userEvent.keyboard('{Escape}')
    expect(isInert(shown())).toBe(false)
    const card = within(shown().closest('li') as HTMLElement)
    await userEvent.click(card.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText('Not saved', { selector: 'li *' })).toBeNull())
  })
})
