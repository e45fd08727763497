import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { LogOut, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { FileInput } from './file-input.tsx'
import { Menu } from './menu.tsx'
import { digitsOf, CodeInput } from './code-input.tsx'
import { PasswordInput, TextInput } from './text-input.tsx'
import { TextArea } from './text-area.tsx'

describe('Field', () => {
  it('connects label, hint and error with its control', () => {
    render(
      <Field label="Email" hint="We mail a code" error={{ message: 'Please enter a valid email address' }} required>
        <TextInput type="email" />
      </Field>,
    )
    const input = screen.getByLabelText('Email')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    const describedBy = (input.getAttribute('aria-describedby') ?? '').split(' ')
    const texts = describedBy.map((id) => document.getElementById(id)?.textContent)
    expect(texts).toEqual(['Please enter a valid email address', 'We mail a code'])
  })

  it('keeps an email left to right', () => {
    render(
      <Field label="Email">
        <TextInput type="email" />
      </Field>,
    )
    expect(screen.getByLabelText('Email').getAttribute('dir')).toBe('ltr')
  })
})

// base.css gives an empty field the direction of the page by `:placeholder-shown`.
it.each([
  ['TextInput', TextInput],
  ['TextArea', TextArea],
])('%s has a placeholder, also if its caller passes none', (_name, Control) => {
  const { container, rerender } = render(<Control placeholder={undefined} />)
  const placeholder = () => container.querySelector('input, textarea')?.getAttribute('placeholder')
  expect(placeholder()).toBe(' ')
  rerender(<Control placeholder="https://" />)
  expect(placeholder()).toBe('https://')
})

describe('PasswordInput', () => {
  it('shows and hides the password', async () => {
    render(
      <Field label="Password">
        <PasswordInput />
      </Field>,
    )
    const input = screen.getByLabelText('Password')
    const toggle = screen.getByRole('button', { name: 'Show password' })
    expect(input.getAttribute('type')).toBe('password')
    await userEvent.click(toggle)
    expect(input.getAttribute('type')).toBe('text')
    expect(toggle.getAttribute('aria-pressed')).toBe('true')
  })
})

describe('TextArea', () => {
  it('counts characters and marks a count above the limit', async () => {
    render(
      <Field label="Description">
        <TextArea max={5} />
      </Field>,
    )
    await userEvent.type(screen.getByLabelText('Description'), 'abcdef')
    expect(screen.getByText('6 of 5 characters').className).toContain('text-bad')
    await userEvent.clear(screen.getByLabelText('Description'))
    await userEvent.type(screen.getByLabelText('Description'), '🦁🐪🦅🌴🌊')
    expect(screen.getByText('5 of 5 characters').className).not.toContain('text-bad')
  })
})

describe('Button', () => {
  it('ignores clicks while busy and keeps the focus', async () => {
    const onClick = vi.fn<() => void>()
    render(
      <Button busy busyLabel="Saving..." onClick={onClick}>
        Save
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Saving...' })
    button.focus()
    await userEvent.click(button)
    expect(onClick).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(button)
  })

  it('does not submit a form by default', () => {
    render(<Button>Plain</Button>)
    expect(screen.getByRole('button').getAttribute('type')).toBe('button')
  })
})

function Code({ onComplete }: { onComplete: (code: string) => void }) {
  const [code, setCode] = useState('')
  return (
    <Field label="Code">
      <CodeInput value={code} onChange={setCode} onComplete={onComplete} />
    </Field>
  )
}

describe('CodeInput', () => {
  it('accepts digits only and calls onComplete at the sixth', async () => {
    const onComplete = vi.fn<(code: string) => void>()
    render(<Code onComplete={onComplete} />)
    const input = screen.getByLabelText<HTMLInputElement>('Code')
    await userEvent.type(input, '12a3-45')
    expect(input.value).toBe('12345')
    expect(onComplete).not.toHaveBeenCalled()
    await userEvent.type(input, '67')
    expect(onComplete).toHaveBeenCalledExactlyOnceWith('123456')
  })

  it('accepts a pasted code with a space', async () => {
    const onComplete = vi.fn<(code: string) => void>()
    render(<Code onComplete={onComplete} />)
    await userEvent.click(screen.getByLabelText('Code'))
    await userEvent.paste('123 456')
    expect(onComplete).toHaveBeenCalledExactlyOnceWith('123456')
  })

  it('replaces a complete code after a click anywhere in it', async () => {
    const onComplete = vi.fn<(code: string) => void>()
    render(<Code onComplete={onComplete} />)
    const input = screen.getByLabelText<HTMLInputElement>('Code')
    await userEvent.type(input, '111111')
    for (const offset of [0, 6]) {
      await userEvent.pointer([{ target: input, offset, keys: '[MouseLeft]' }])
      await userEvent.keyboard('9')
      expect(input.value).toBe('9')
      await userEvent.keyboard('11111')
    }
    expect(onComplete.mock.calls.flat()).toEqual(['111111', '911111', '911111'])
  })

  it('reads Arabic digits', () => {
    expect(digitsOf('١٢٣ ۴۵۶')).toBe('123456')
  })
})

describe('FileInput', () => {
  it('shows name and size in megabytes, and removes the file', async () => {
    const onFile = vi.fn<(file: File | null) => void>()
    const file = new File([new Uint8Array(1_572_864)], 'app.zip')
    render(
      <Field label="File">
        <FileInput file={file} onFile={onFile} />
      </Field>,
    )
    expect(screen.getByText('app.zip')).toBeDefined()
    expect(screen.getByText('1.50 MB')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Remove file' }))
    expect(onFile).toHaveBeenCalledWith(null)
  })

  it('moves the focus to the remove button and back, and accepts the same file twice', async () => {
    const file = new File(['x'], 'app.zip')
    render(<ChosenFile />)
    const input = () => screen.getByLabelText<HTMLInputElement>('Choose a file')
    for (const _time of ['first', 'second']) {
      input().focus()
      // `upload` of the library lets the focus go and gives it back; a browser's own dialog leaves it.
      fireEvent.change(input(), { target: { files: [file] } })
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove file' }))
      expect(input().tabIndex).toBe(-1)
      await userEvent.click(screen.getByRole('button', { name: 'Remove file' }))
      expect(document.activeElement).toBe(input())
      expect(input().tabIndex).toBe(0)
    }
  })

  it('shows the progress and a cancel button, and one byte as 0.00 MB', async () => {
    const onCancel = vi.fn<() => void>()
    const file = new File(['x'], 'app.zip')
    render(<FileInput file={file} onFile={() => {}} progress={0.4} onCancel={onCancel} />)
    expect(screen.getByText('0.00 MB')).toBeDefined()
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.4)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel upload' }))
    expect(onCancel).toHaveBeenCalledOnce()
  })
})

function ChosenFile() {
  const [file, setFile] = useState<File | null>(null)
  return <FileInput file={file} onFile={setFile} />
}

function WithDialog({ dismissible }: { dismissible: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} onOpenChange={setOpen} title="A title" dismissible={dismissible}>
        <Button>Inside</Button>
      </Dialog>
    </>
  )
}

describe('Dialog', () => {
  it('locks scrolling and restores the focus', async () => {
    render(<WithDialog dismissible />)
    const opener = screen.getByRole('button', { name: 'Open' })
    await userEvent.click(opener)
    expect(screen.getByRole('dialog', { name: 'A title' }).contains(document.activeElement)).toBe(true)
    expect(document.documentElement.dataset['scrollLock']).toBe('')
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.documentElement.dataset['scrollLock']).toBeUndefined()
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('stays open if it is not dismissible', async () => {
    render(<WithDialog dismissible={false} />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeDefined()
    // It keeps its room in the header.
    const close = screen.getByRole('button', { name: 'Close' })
    expect(close.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(close)
    expect(screen.getByRole('dialog')).toBeDefined()
  })

  it('injects no style element, which the content security policy would block', async () => {
    const before = document.querySelectorAll('style').length
    render(<WithDialog dismissible />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    act(() => {})
    expect(document.querySelectorAll('style')).toHaveLength(before)
    fireEvent.keyDown(document, { key: 'Escape' })
  })
})

describe('Menu', () => {
  it('runs the action after the focus is back on its button', async () => {
    let focused: Element | null = null
    const onSelect = vi.fn<() => void>(() => {
      focused = document.activeElement
    })
    render(<Menu trigger={<button type="button">More</button>} items={[{ label: 'Rename', onSelect }]} />)
    const trigger = screen.getByRole('button', { name: 'More' })
    trigger.focus()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    await waitFor(() => expect(onSelect).toHaveBeenCalledOnce())
    expect(focused).toBe(trigger)
  })

  it('mirrors only directional icons in Arabic', async () => {
    const items = [
      { label: 'Sign Out', icon: LogOut, mirrored: true, onSelect: () => {} },
      { label: 'Warn', icon: TriangleAlert, onSelect: () => {} },
    ]
    render(<Menu trigger={<button type="button">More</button>} items={items} />)
    screen.getByRole('button', { name: 'More' }).focus()
    await userEvent.keyboard('{Enter}')
    const turned = (await screen.findAllByRole('menuitem')).map((item) => item.querySelector('.rtl\\:-scale-x-100'))
    expect(turned.map((icon) => icon !== null)).toEqual([true, false])
  })
})
