import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gif, html, jpeg, pdf, png, text, zip } from '../../test/sample-files.ts'
import { photo } from '../../test/sample-pictures.ts'
import { openUploadApp, type UploadApp } from '../../test/upload-app.ts'
import { openWorkFixture, type WorkFixture } from '../../test/work-fixture.ts'

/** Hostile files are rejected, or stored and served so that they are harmless. */
let fixture: WorkFixture
let app: UploadApp
beforeAll(async () => {
  fixture = await openWorkFixture()
  app = await openUploadApp(fixture)
})
afterAll(async () => {
  await app.close()
  await fixture.close()
})

type Bytes = Uint8Array<ArrayBuffer>
const then = (bytes: Bytes, more: string): Bytes => Uint8Array.from(Buffer.concat([bytes, Buffer.from(more, 'latin1')]))
const SCRIPT = '<script>alert(document.cookie)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
const bom = (bytes: Bytes): Bytes => Uint8Array.from(Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]))
const utf16 = (words: string): Bytes => Uint8Array.from(Buffer.from(`\ufeff${words}`, 'utf16le'))

/** Not a supported type by their first bytes, regardless of their name. */
const REFUSED: [what: string, bytes: Bytes, name: string][] = [
  ['a page', html(), 'page.html'],
  ['a page as a picture', html(), 'page.png'],
  ['a page as a document', html(), 'page.pdf'],
  ['a page with two endings', html(), 'page.png.html'],
  ['a page with a zero byte in its name', html(), 'page.html\0.png'],
  ['a page after blanks', text(`   \n${SCRIPT}`), 'a.gif'],
  ['a page in UTF-16', utf16(SCRIPT), 'a.jpg'],
  ['a page after a mark of UTF-8', bom(html()), 'a.png'],
  ['a drawing', text(SVG), 'a.svg'],
  ['a drawing as a picture', text(SVG), 'a.png'],
  ['a drawing with a declaration', text(`<?xml version="1.0"?>${SVG}`), 'a.gif'],
  ['a packed drawing', text('\x1f\x8b\x08\0\0\0\0\0\0\x03'), 'a.svgz'],
  ['a style sheet', text('body{background:url(javascript:alert(1))}'), 'a.css'],
  ['a script', text('alert(1)//'), 'a.js'],
  ['a script with a PHP tag', text('<?php system($_GET["c"]); ?>'), 'a.php'],
  ['a program of Windows', text('MZ\x90\0\x03\0\0\0'), 'a.exe'],
  ['a program of Linux', text('\x7fELF\x02\x01\x01\0'), 'a.zip'],
  ['a program of Java', text('\xca\xfe\xba\xbe\0\0\0\x34'), 'a.jpg'],
  ['a shell script', text('#!/bin/sh\nrm -rf /'), 'a.pdf'],
  ['an installer of macOS', text('xar!\0\x1c\0\x01'), 'a.pdf'],
  ['a WebP picture', text('RIFF\x24\0\0\0WEBPVP8 '), 'a.png'],
  ['a bitmap', text('BM\x36\0\0\0\0\0'), 'a.png'],
  ['a TIFF', text('II*\0\x08\0\0\0'), 'a.jpg'],
  ['an icon', text('\0\0\x01\0\x01\0\x10\x10'), 'a.png'],
  ['an AVIF', text('\0\0\0\x20ftypavif'), 'a.jpg'],
  ['a film', text('\0\0\0\x18ftypmp42'), 'a.gif'],
  ['a sound', text('ID3\x03\0\0\0\0'), 'a.gif'],
  ['a RAR archive', text('Rar!\x1a\x07\x01\0'), 'a.zip'],
  ['a 7z archive', text("7z\xbc\xaf'\x1c\0\x04"), 'a.zip'],
  ['a packed tar', text('\x1f\x8b\x08\0\0\0\0\0'), 'a.zip'],
  ['an old Office file', text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'a.pdf'],
  ['PostScript', text('%!PS-Adobe-3.0'), 'a.pdf'],
  ['a rich text', text('{\\rtf1\\ansi'), 'a.pdf'],
  ['a link of Windows', text('L\0\0\0\x01\x14\x02\0'), 'a.png'],
  ['half a signature of a PNG', text('\x89PNG'), 'a.png'],
  ['a signature of a PNG in the wrong case', text('\x89png\r\n\x1a\n'), 'a.png'],
  ['a signature of a PNG with other line ends', text('\x89PNG\n\x1a\n\0'), 'a.png'],
  ['a GIF of a version that is none', text('GIF90a\0\0'), 'a.gif'],
  ['a PDF that begins late', text(' %PDF-1.7'), 'a.pdf'],
  ['zeros', Uint8Array.from(Buffer.alloc(64)), 'a.png'],
  ['an archive’s end alone', text('PK\x05\x06\0\0\0\0'), 'a.zip'],
  ['an archive without a directory', text('PK\x03\x04 and nothing more'), 'a.zip'],
  ['an archive that leads out', zip([{ name: '../../etc/cron.d/a' }]), 'a.zip'],
  ['an archive from the root', zip([{ name: '/etc/passwd' }]), 'a.zip'],
  ['an archive of a drive', zip([{ name: 'C:\\Windows\\a.dll' }]), 'a.zip'],
  ['an archive with a link in it', zip([{ name: 'a', mode: 0o120777 }]), 'a.zip'],
  ['an archive that bursts', zip([{ name: 'a', claimedSize: 2 ** 31 }]), 'a.zip'],
  ['an archive that bursts in 64 bits', zip([{ name: 'a', claimedSize: 2 ** 40 }], { zip64: true }), 'a.zip'],
]

/** A supported type by their first bytes, with other content besides. */
const STORED: [what: string, bytes: Bytes, name: string, type: string, ending: string][] = [
  ['a GIF that is a script too', text(`GIF89a=1;${SCRIPT}`), 'a.html', 'image/gif', '.gif'],
  ['a GIF with a page behind it', then(gif(), SCRIPT), 'a.gif', 'image/gif', '.gif'],
  ['a PNG with a page behind it', then(png(), SCRIPT), 'a.php', 'image/png', '.png'],
  ['a PNG with a drawing in it', then(png(), SVG), 'a.svg', 'image/png', '.png'],
  ['a JPEG with a script in its note', then(jpeg(), SCRIPT), 'a.jsp', 'image/jpeg', '.jpg'],
  ['a PDF that is a page too', then(pdf(), SCRIPT), 'a.html', 'application/pdf', '.pdf'],
  [
    'a PDF that opens scripts',
    text('%PDF-1.7\n/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'),
    'a.pdf',
    'application/pdf',
    '.pdf',
  ],
  ['a PDF that calls home', text('%PDF-1.7\n/S /URI /URI (http://127.0.0.1:9/)'), 'a.pdf', 'application/pdf', '.pdf'],
  [
    'an archive with a page as its note',
    zip([{ name: 'a' }], { comment: SCRIPT }),
    'a.html',
    'application/zip',
    '.zip',
  ],
  ['an archive of an Office file', zip([{ name: '[Content_Types].xml' }]), 'a.docx', 'application/zip', '.zip'],
  ['an archive of a program', zip([{ name: 'META-INF/MANIFEST.MF' }]), 'a.jar', 'application/zip', '.zip'],
  ['a name with a path', png(), '../../../etc/passwd.png', 'image/png', '.png'],
  ['a name with quotes and line ends', png(), 'a"\r\nset-cookie: x=1\r\n.png', 'image/png', '.png'],
  ['a name that turns around', png(), 'a\u202egnp.exe', 'image/png', '.png'],
]

describe('T-G2 the corpus', () => {
  it('has at least sixty files', () => expect(REFUSED.length + STORED.length).toBeGreaterThanOrEqual(60))

  it.each(REFUSED)('%s is rejected and leaves nothing', async (_what, bytes, name) => {
    const user = await fixture.createMember()
    const { status, body } = await app.send(user, bytes, { name, type: 'image/png' })
    expect([status, body.success ? 'STORED' : body.code]).toEqual([415, 'FILE_TYPE_REFUSED'])
    expect(await fixture.sql`select id from uploads where user_id = ${user.id}`).toHaveLength(0)
  })

  it.each(STORED)('%s has the type of its first bytes', async (_what, bytes, name, type, ending) => {
    const { secureUrl, originalName, mimeType } = await app.uploadFile(await fixture.createMember(), bytes, name)
    expect([mimeType, originalName.endsWith(ending)]).toEqual([type, true])
    expect(originalName).not.toMatch(/[\p{Cc}\u202a-\u202e/\\]/u)
    const response = await fetch(app.url + new URL(secureUrl).pathname)
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('content-disposition')).toMatch(
      type === 'application/zip' ? /^attachment;/ : /^inline;/,
    )
  })

  it('re-encodes a picture with embedded HTML without it', async () => {
    const portrait = then(await photo(), SCRIPT)
    const { status, body } = await app.send(await fixture.createMember(), portrait, {
      name: 'me.jpg',
      endpoint: 'profile',
    })
    if (!body.success) throw new Error(`${status} ${body.message}`)
    const address = JSON.stringify(body.data).match(/https?:[^"]+\/files\/[^"]+/)?.[0] ?? ''
    const bytes = Buffer.from(await (await fetch(app.url + new URL(address).pathname)).arrayBuffer())
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
    expect(bytes.includes('<script>')).toBe(false)
  })
})

describe('T-G7 server-side requests', () => {
  it('are not made for URLs in documents or names', async () => {
    let visits = 0
    const listener = createServer((_request, response) => {
      visits++
      response.end()
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    const there = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
    const user = await fixture.createMember()
    await app.uploadFile(user, text(`%PDF-1.7\n/URI (${there})`), `${there}.pdf`)
    await app.uploadFile(user, then(png(), `<?xml-stylesheet href="${there}"?>`), 'a.png')
    await app.send(user, then(await photo(), there), { name: 'me.jpg', endpoint: 'profile' })
    listener.close()
    expect(visits).toBe(0)
  })
})
