import { evenStep, every, joined, listed } from './english.js'
import { includes, type NumberSet } from './number-set.js'
import type { TimeRule } from './time-rule.js'

/** The maximum number of times that are listed one by one. */
const MAX_LISTED = 6

/** The times of day in English, such as `at 09:00 and 17:30` or `every fifth minute from 09:00 through 17:59`. */
export function timesInWords(times: TimeRule): string {
  const hours = members(times.hours, 24)
  const minutes = members(times.minutes, 60)
  const seconds = members(times.seconds, 60)
  if (hours.length * minutes.length * seconds.length <= MAX_LISTED) {
    const clocks = hours.flatMap(hour =>
      minutes.flatMap(minute => seconds.map(second => clock(hour, minute, second))),
    )
    return `at ${joined(clocks)}`
  }
  if (seconds.length === 1 && seconds[0] === 0) return minutesInWords(hours, minutes)
  const often = unitInWords(seconds, 60, 'second')
  if (hours.length === 24 && minutes.length === 60) {
    return often.startsWith('every') ? often : `at ${often} of every minute`
  }
  return `${often.startsWith('every') ? '' : 'at '}${often} of ${minutesInWords(hours, minutes).replace(/^at /, '')}`
}

function minutesInWords(hours: number[], minutes: number[]): string {
  if (minutes.length === 1) return hoursInWords(hours, minutes[0]!)
  const often = unitInWords(minutes, 60, 'minute')
  const step = evenStep(minutes)
  const wholeHour = step !== null && minutes[0] === 0 && minutes.at(-1)! + step >= 60
  const hourStep = evenStep(hours)
  if (wholeHour) {
    if (hours.length === 24) return often
    const run = hours.length === 1 || hourStep === 1
    return run
      ? `${often} from ${clock(hours[0]!, 0)} through ${clock(hours.at(-1)!, 59)}`
      : `${often} of ${hoursOf(hours)}`
  }
  if (hours.length === 1 && step !== null) {
    return `${every(step, 'minute')} from ${clock(hours[0]!, minutes[0]!)} through ${clock(hours[0]!, minutes.at(-1)!)}`
  }
  return `${often.startsWith('every') ? '' : 'at '}${often} of ${hoursOf(hours)}`
}

/** Times at one minute of each of `hours`. */
function hoursInWords(hours: number[], minute: number): string {
  const atMinute = minute === 0 ? '' : ` at minute ${minute}`
  const step = evenStep(hours)
  if (step === null) return `at ${joined(hours.map(hour => clock(hour, minute)))}`
  if (hours[0] === 0 && hours.at(-1)! + step >= 24) return `${every(step, 'hour')}${atMinute}`
  return `${every(step, 'hour')} from ${clock(hours[0]!, minute)} through ${clock(hours.at(-1)!, minute)}`
}

function hoursOf(hours: number[]): string {
  return hours.length === 24 ? 'every hour' : unitInWords(hours, 24, 'hour')
}

/** `every minute`, `every fifth minute`, `every minute from 10 through 20`, `minutes 3 and 17`. */
function unitInWords(numbers: number[], count: number, unit: string): string {
  const step = evenStep(numbers)
  if (step === null) return `${unit}${numbers.length > 1 ? 's' : ''} ${listed(numbers)}`
  if (numbers[0] === 0 && numbers.at(-1)! + step >= count) return every(step, unit)
  return `${every(step, unit)} from ${numbers[0]} through ${numbers.at(-1)}`
}

function members(set: NumberSet, count: number): number[] {
  return Array.from({ length: count }, (_, number) => number).filter(number => includes(set, number))
}

function clock(...parts: [hour: number, minute: number, second?: number]): string {
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts
  return shown.map(part => String(part).padStart(2, '0')).join(':')
}
