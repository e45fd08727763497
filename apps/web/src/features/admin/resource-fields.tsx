import { RESOURCES_MAX } from '@community/contract/limits'
import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { RESOURCE_TYPES, RESOURCE_LABELS } from '../../components/challenge-labels.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { registerField } from '../../lib/use-form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { ChallengeForm } from './challenge-fields.tsx'
import { BLANK_RESOURCE } from './challenge-form.ts'

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
          const title = registerField(form, `resources.${index}.title`)
          const url = registerField(form, `resources.${index}.url`)
          return (
            <li key={resource.id} className="rounded-control border border-line p-3">
              <div className="flex items-start gap-1">
                <div className="grid grow gap-2 sm:grid-cols-[1fr_1.3fr_12rem]">
                  <Field label={t('Resource {number} title', { number })} labelHidden error={title.error}>
                    <TextInput placeholder={t('Title')} {...title.control} />
                  </Field>
                  <Field label={t('Resource {number} URL', { number })} labelHidden error={url.error}>
                    <TextInput type="url" placeholder="https://" {...url.control} />
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
