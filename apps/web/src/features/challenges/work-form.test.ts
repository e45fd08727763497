import { describe, expect, it } from 'vitest'
import { ApplyForm, ReapplyForm, SubmitForm } from './work-form.ts'

const teamId = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const fileOf = (name: string, type: string, size = 10) => new File([new Uint8Array(size)], name, { type })
const problems = (form: unknown) =>
  ApplyForm.safeParse(form).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('SubmitForm', () => {
  it('requires a team name', () => {
    const { error } = SubmitForm.safeParse({ teamName: ' ', type: 'link', link: 'https://example.ma' })
    expect(error?.issues.map(({ message }) => message)).toEqual(['Please enter team name'])
  })
})

describe('ReapplyForm', () => {
  it('needs no values for the same work, and the usual ones for new work', () => {
    expect(ReapplyForm.parse({ type: 'same', link: 'nonsense', file: null })).toEqual({ type: 'same' })
    expect(ReapplyForm.safeParse({ type: 'link', link: 'nonsense' }).success).toBe(false)
  })
})

describe('ApplyForm', () => {
  it('requires a team and a URL', () => {
    expect(problems({ teamId: '', type: 'link', link: '' })).toEqual([
      'teamId: Please select a team',
      'link: Please enter a valid link (http or https)',
    ])
  })

  it('accepts a URL with notes', () => {
    const parsed = ApplyForm.parse({ teamId, type: 'link', link: ' https://example.ma ', notes: ' hi ' })
    expect(parsed).toEqual({ teamId, type: 'link', link: 'https://example.ma/', notes: 'hi' })
  })

  it('requires a file for an upload, and then no URL', () => {
    expect(problems({ teamId, type: 'upload', link: '', file: null })).toEqual(['file: Please choose a file'])
  })

  it.each([
    ['work.zip', 'application/zip'],
    ['work.zip', 'application/x-zip-compressed'],
    ['WORK.PDF', ''],
    ['photo', 'image/jpeg'],
  ])('accepts %s of type %j', (name, type) => {
    expect(problems({ teamId, type: 'upload', file: fileOf(name, type) })).toEqual([])
  })

  it('rejects other types and files larger than 10 MB', () => {
    expect(problems({ teamId, type: 'upload', file: fileOf('run.exe', 'application/x-msdownload') })).toEqual([
      'file: Only JPEG, PNG, GIF, PDF and ZIP files are allowed',
    ])
    expect(problems({ teamId, type: 'upload', file: fileOf('a.zip', 'application/zip', 10_485_760) })).toEqual([])
    expect(problems({ teamId, type: 'upload', file: fileOf('a.zip', 'application/zip', 10_485_761) })).toEqual([
      'file: The file is larger than 10 MB',
    ])
  })
})
