import { describe, expect, it } from 'vitest'
import { createFileUrl, parseFileUrl, createKey } from './file-url.ts'
import { cleanFileName, contentDisposition } from './file-name.ts'

describe('a file’s name', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['Photo.PNG', 'Photo.PNG'],
    ['تقرير نهائي.png', 'تقرير نهائي.png'],
    ['C:\\Users\\me\\a.png', 'a.png'],
    ['../../etc/passwd', 'passwd.png'],
    ['evil.html', 'evil.html.png'],
    ['evil.png.exe', 'evil.png.exe.png'],
    ['', 'file.png'],
    [undefined, 'file.png'],
    ['.png', 'file.png'],
    ['...', 'file.png'],
    ['a\u202egnp.exe', 'agnp.exe.png'],
    ['a\r\nSet-Cookie: x.png', 'a Set-Cookie_ x.png'],
    ['a"b<c>.png', 'a_b_c_.png'],
    ['a\0.png', 'a.png'],
  ])('%j becomes %j', (name, clean) => expect(cleanFileName(name, 'image/png')).toBe(clean))
  it('keeps both extensions of JPEG', () => {
    expect(cleanFileName('a.jpeg', 'image/jpeg')).toBe('a.jpeg')
    expect(cleanFileName('a.jpg', 'image/jpeg')).toBe('a.jpg')
    expect(cleanFileName('a', 'image/jpeg')).toBe('a.jpg')
  })
  it('is truncated between characters and keeps its extension', () => {
    const clean = cleanFileName(`${'🦁'.repeat(300)}.pdf`, 'application/pdf')
    expect(clean).toBe(`${'🦁'.repeat(115)}.pdf`)
  })
})

describe('a file’s URL', () => {
  const appUrl = 'https://community.ma'
  it.each([
    'a.png',
    'تقرير نهائي.pdf',
    'a b+c&d=e?f#g%20.png',
    "it's (1)!.png",
    `${'🦁'.repeat(115)}.pdf`,
    'ⵜⴰⵎⴰⵣⵉⵖⵜ.zip',
  ])('of %j is a normalised URL of at most 2048 characters that contains its key', (originalName) => {
    const key = createKey()
    const address = createFileUrl(appUrl, { key, originalName })
    expect(address.length).toBeLessThanOrEqual(2048)
    expect(new URL(address).href).toBe(address)
    expect(parseFileUrl(appUrl, address)).toBe(key)
    expect(new URL(address).pathname.split('/')).toHaveLength(4)
  })
  it.each([
    'https://other.ma/files/K/a',
    'https://community.ma:8443/files/K/a',
    'https://community.ma/x/K/a',
    'https://community.ma/files/../files2/K',
    'nonsense',
    'https://community.ma/files/',
  ])('%j has no key', (link) => expect(parseFileUrl(appUrl, link.replace('K', createKey()))).toBeNull())
  it('has an unguessable key', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => createKey()))
    expect(keys.size).toBe(1000)
    for (const key of keys) expect(key).toMatch(/^\d{8}-[A-Za-z0-9_-]{32}$/)
  })
})

describe('Content-Disposition', () => {
  it('names a file in ASCII and in UTF-8', () => {
    expect(contentDisposition('attachment', 'Résumé (1).zip')).toBe(
      'attachment; filename="Resume (1).zip"; filename*=UTF-8\'\'R%C3%A9sum%C3%A9%20%281%29.zip',
    )
    expect(contentDisposition('inline', 'تقرير.pdf')).toMatch(
      /^inline; filename="_____\.pdf"; filename\*=UTF-8''%D8%AA/,
    )
  })
  it('cannot be injected into', () => {
    const header = contentDisposition('inline', 'a"; filename=evil.exe\r\nX: y\\%41.png')
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(header.match(/"/g)).toHaveLength(2)
    expect(header).not.toContain('\\')
  })
})
