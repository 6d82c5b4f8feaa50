import { Refusal } from '../../../core/errors.js'
import type { ChannelSettings, Field } from '../../field.js'
import { phoneNumber } from './phone-number.js'

/** Where calls and messages go. */
export const phoneField: Field = {
  name: 'phone',
  label: 'Phone number',
  type: 'text',
  required: true,
  maxLength: 50,
  help: 'In international form: `+` and the country first, such as +37121234567.',
}

/** The settings with the number as it is dialled. Throws a `Refusal` where it is none. */
export function checkPhone(settings: ChannelSettings): ChannelSettings {
  const phone = phoneNumber(settings.phone!)
  if (phone !== null) return { ...settings, phone }
  throw new Refusal('invalid', 'Enter a phone number in international form.', 'phone')
}

/** Whether falls and recoveries are told, each with a default. */
export function directionFields(down: boolean, up: boolean): Field[] {
  return [
    { name: 'down', label: 'When a check goes down', type: 'flag', default: String(down) },
    { name: 'up', label: 'When a check comes back up', type: 'flag', default: String(up) },
  ]
}
