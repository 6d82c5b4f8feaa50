import { Refusal } from '../../../core/errors.js'
import type { ChannelSettings, Field } from '../../field.js'
import { phoneNumber } from './phone-number.js'

/** The field for the number of the recipient. */
export const phoneField: Field = {
  name: 'phone',
  label: 'Phone number',
  type: 'text',
  required: true,
  maxLength: 50,
  help: 'In international form: `+` and the country first, such as +37121234567.',
}

/** Normalises the number in the settings. Throws a `Refusal` if it is not valid. */
export function checkPhone(settings: ChannelSettings): ChannelSettings {
  const phone = phoneNumber(settings.phone!)
  if (phone !== null) return { ...settings, phone }
  throw new Refusal('invalid', 'Enter a phone number in international form.', 'phone')
}

/** Fields for turning down and up alerts on or off, with their defaults. */
export function directionFields(down: boolean, up: boolean): Field[] {
  return [
    { name: 'down', label: 'When a check goes down', type: 'flag', default: String(down) },
    { name: 'up', label: 'When a check comes back up', type: 'flag', default: String(up) },
  ]
}
