import { LANGUAGES, type Language } from '@community/contract'
import { DEFAULT_APP_NAME } from '../mails/app-name.ts'
import { renderMail } from '../mails/render.ts'
import { SAMPLE_APP_URL, sampleValues } from '../mails/samples.ts'
import { MAIL_TEMPLATES, type MailTemplate } from '../mails/texts.ts'
import { escapeHtml } from '../mails/escape-html.ts'
import { htmlPage } from './html-page.ts'

const renderSample = (template: MailTemplate, language: Language) =>
  renderMail(template, language, sampleValues(template, language), {
    appUrl: SAMPLE_APP_URL,
    appName: DEFAULT_APP_NAME,
  })

function renderSection(template: MailTemplate, language: Language): string {
  const { subject, text } = renderSample(template, language)
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return `<section lang="${language}" id="${template}-${language}">
    <h3 dir="${direction}">${escapeHtml(subject)}</h3><small lang="en" dir="ltr">${template} · ${language}</small>
    <iframe sandbox loading="lazy" title="${template} in ${language}, as HTML" src="/templates/${template}/${language}"></iframe>
    <details><summary lang="en">As text</summary><pre dir="${direction}">${escapeHtml(text)}</pre></details></section>`
}

/** All mail templates in all languages with sample values: subject, sandboxed HTML and text. */
export function templatesPage(): string {
  const contents = MAIL_TEMPLATES.map((template) => `<li><a href="#${template}">${template}</a></li>`).join('')
  const groups = MAIL_TEMPLATES.map(
    (template) =>
      `<h2 id="${template}">${template}</h2>${LANGUAGES.map((language) => renderSection(template, language)).join('')}`,
  )
  return htmlPage(
    'Mail templates',
    `<p><a href="/">Inbox</a></p><h1>Mail templates</h1><ul>${contents}</ul>${groups.join('')}`,
  )
}

/** The HTML of a template; undefined for an unknown template or language. */
export function templateHtml(template: string, language: string): string | undefined {
  const knownTemplate = MAIL_TEMPLATES.find((name) => name === template)
  const knownLanguage = LANGUAGES.find((code) => code === language)
  return knownTemplate && knownLanguage && renderSample(knownTemplate, knownLanguage).html
}
