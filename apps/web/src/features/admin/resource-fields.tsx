import { messageOf } from '../../lib/schema-resolver.ts'
import type { Message } from '@community/contract'
import { RESOURCES_MAX } from '@community/contract/limits'
import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { RESOURCE_TYPES, RESOURCE_LABELS } from '../../components/challenge-labels.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { ChallengeForm } from './challenge-fields.tsx'
import { BLANK_RESOURCE, type ChallengeDraft } from './challenge-form.ts'

const isComplete = ({ title = '', url = '' }: ChallengeDraft['resources'][number]): boolean =>
  title.trim() !== '' && url.trim() !== ''

/** The error of a line. The indexes of errors count only complete lines, those with title and URL. */
function errorOf(form: ChallengeForm, index: number): Message | undefined {
  const resources = form.getValues('resources')
  const resource = resources[index]
  if (!resource || !isComplete(resource)) return undefined
  const errorIndex = resources.slice(0, index).filter(isComplete).length
  return messageOf(form.formState.errors.resources?.[errorIndex]?.url)
}

/** The resources of a challenge: title, URL and kind of each. */
export function ResourceFields({ form }: { form: ChallengeForm }) {
  const t = useT()
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'resources' })
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">
        {t('Resources')} <span className="ms-2 text-sm font-normal text-muted">{t('optional')}</span>
      </legend>
      <ul className="grid gap-3 empty:hidden">
        {fields.map((resource, index) => {
          const number = formatNumber(index + 1)
          return (
            <li key={resource.id} className="rounded-control border border-line p-3">
              <div className="flex items-start gap-1">
                <div className="grid grow gap-2 sm:grid-cols-[1fr_1.3fr_12rem]">
                  <Field label={t('Resource {number} title', { number })} labelHidden>
                    <TextInput placeholder={t('Title')} {...form.register(`resources.${index}.title`)} />
                  </Field>
                  <Field label={t('Resource {number} URL', { number })} labelHidden error={errorOf(form, index)}>
                    <TextInput type="url" placeholder="https://" {...form.register(`resources.${index}.url`)} />
                  </Field>
                  <Field label={t('Resource {number} type', { number })} labelHidden>
                    <Select {...form.register(`resources.${index}.type`)}>
                      {RESOURCE_TYPES.map((type) => (
                        <option key={type} value={type}>
                          {t(RESOURCE_LABELS[type])}
                        </option>
                      ))}
                    </Select>
                  </Field>
                </div>
                <IconButton label={t('Remove resource {number}', { number })} onClick={() => remove(index)}>
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </div>
            </li>
          )
        })}
      </ul>
      {fields.length < RESOURCES_MAX && (
        <Button size="sm" className="justify-self-start" onClick={() => append(BLANK_RESOURCE)}>
          <Plus aria-hidden="true" />
          {t('Add resource')}
        </Button>
      )}
    </fieldset>
  )
}
