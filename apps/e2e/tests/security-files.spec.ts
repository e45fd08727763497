import { fileForm } from '@community/testing'
import { crc32 } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { registerMember, type SignedInUser, url } from './steps.ts'

const PAGE = '<!doctype html><html><body><script>alert(document.cookie);document.title="acted"</script></body></html>'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'

/** The smallest ZIP of one file, with a comment at its end. */
function zip(note: string): Buffer {
  const [name, content] = [Buffer.from('index.html'), Buffer.from(PAGE)]
  const sizes = Buffer.alloc(12)
  sizes.writeUInt32LE(crc32(content), 0)
  sizes.writeUInt32LE(content.length, 4)
  sizes.writeUInt32LE(content.length, 8)
  const local = Buffer.concat([
    Buffer.from('504b0304140000000000000000000000'.slice(0, 28), 'hex'),
    sizes,
    Buffer.from([name.length, 0, 0, 0]),
    name,
    content,
  ])
  const entry = Buffer.concat([
    Buffer.from('504b01021403140000000000000000000000'.slice(0, 32), 'hex'),
    sizes,
    Buffer.from([name.length, 0, ...Array<number>(16).fill(0)]),
    name,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length, 16)
  end.writeUInt16LE(note.length, 20)
  return Buffer.concat([local, entry, end, Buffer.from(note)])
}

const concat = (head: string, more: string) => Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(more)])
/** Polyglots: a file of each accepted type that is also a page. */
const FILES: [type: string, name: string, bytes: Buffer][] = [
  ['image/gif', 'a.html', concat('GIF89a=1;', PAGE)],
  ['image/gif', 'a.svg', concat('GIF89a', SVG)],
  ['image/png', 'a.html', concat('\x89PNG\r\n\x1a\n', PAGE)],
  ['image/jpeg', 'a.htm', concat('\xff\xd8\xff\xe0', PAGE)],
  ['application/pdf', 'a.html', concat('%PDF-1.7\n', PAGE)],
  [
    'application/pdf',
    'a.pdf',
    concat(
      '%PDF-1.4\n',
      '1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\ntrailer<</Root 1 0 R>>',
    ),
  ],
  ['application/zip', 'a.html', zip(PAGE)],
]

async function uploadFile(person: SignedInUser, name: string, bytes: Buffer): Promise<string> {
  const form = fileForm('file', bytes, name, 'text/html')
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await fetch(`${url}/api/upload/single`, { method: 'POST', headers, body: form })
  const { data, message } = (await response.json()) as { message: string; data?: { file: { secureUrl: string } } }
  if (!data) throw new Error(`${name}: ${message}`)
  return data.file.secureUrl
}

/** What a document at the address can do; null if the browser downloads it instead. */
async function openDocument(page: Page, address: string) {
  const response = await page.goto(address).catch((error: Error) => {
    // Playwright's errors for a download.
    if (/Download is starting|ERR_ABORTED/.test(error.message)) return null
    throw error
  })
  if (!response) return null
  return page.evaluate(() => {
    const tryRead = (read: () => unknown) => {
      try {
        return typeof read() === 'string' ? 'reached' : 'nothing'
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      origin: self.origin,
      cookie: tryRead(() => document.cookie),
      storage: tryRead(() => String(localStorage.length)),
      title: document.title,
      scripts: document.scripts.length,
      contentType: document.contentType,
      elementNames: [...document.querySelectorAll('*')].map((element) => element.localName),
    }
  })
}

/** Loads a file as a script element of the open page. */
const loadAsScript = (page: Page, address: string) =>
  page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const script = document.createElement('script')
        script.addEventListener('load', () => resolve('ran'))
        script.addEventListener('error', () => resolve('blocked'))
        script.src = src
        document.head.append(script)
      }),
    address,
  )

test('stored polyglot files do not act as pages', async ({ browser }) => {
  const person = await registerMember()
  const context = await browser.newContext()
  await context.addCookies([{ name: 'session', value: 'secret', url }])
  const page = await context.newPage()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  // Sanity check: a page of our own origin reaches the cookie and the storage.
  const appPage = await openDocument(page, `${url}/`)
  expect(appPage).toMatchObject({ origin: url, cookie: 'reached', storage: 'reached' })

  const addresses: string[] = []
  for (const [type, name, bytes] of FILES)
    await test.step(`${type}, ${name}`, async () => {
      const address = await uploadFile(person, name, bytes)
      addresses.push(address)
      const opened = await openDocument(page, address)
      if (type === 'application/zip') expect(opened).toBeNull()
      if (opened) {
        expect(opened.scripts).toBe(0)
        expect(opened.title).not.toBe('acted')
        expect(opened.contentType).toBe(type)
        // The browser's built-in viewer has the address's origin, but contains nothing of the file.
        const foreignElements = opened.elementNames.filter((part) => !['html', 'head', 'body', 'embed'].includes(part))
        if (type === 'application/pdf') expect(foreignElements).toEqual([])
        else expect(opened).toMatchObject({ origin: 'null', cookie: 'SecurityError', storage: 'SecurityError' })
      }
      const response = await fetch(address)
      expect(response.headers.get('content-type')).toBe(type)
      await response.body?.cancel()
      expect(dialogs).toEqual([])
    })

  // A script element of our page does not run the file either.
  await page.goto(`${url}/`)
  for (const address of addresses) expect(await loadAsScript(page, address)).toBe('blocked')
  expect(dialogs).toEqual([])
})

test('other sites cannot frame the page', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route('https://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${url}/"></iframe><iframe src="${url}/auth/google-otp?email=a@b.ma"></iframe>`,
    }),
  )
  await page.goto('https://evil.example/')
  // The browser shows an error page in a blocked frame. At first a frame has no address, which `new URL` rejects.
  await expect
    .poll(() =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url().split(':')[0]),
    )
    .toEqual(['chrome-error', 'chrome-error'])
  await context.close()
})
