/** Random schedules, each with a simple function of its own that says which wall-clock readings it matches. */
import fc from 'fast-check'

export interface Drawn {
  text: string
  /** Whether it matches a reading: milliseconds since 1970-01-01T00:00 as if the clock were UTC. */
  names: (reading: number) => boolean
}

export interface DrawnCron extends Drawn {
  /** Neither minute nor hour begins with an asterisk. */
  fixed: boolean
}

interface Field {
  text: string
  has: (value: number, date: Date) => boolean
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Cron expressions that may match on any day, so that they match around a clock change. */
export const anyCron: fc.Arbitrary<DrawnCron> = fc
  .tuple(cronField(0, 59), cronField(0, 23), anyDayOfMonth(), cronField(1, 12), anyDayOfWeek())
  .map(([minute, hour, dayOfMonth, month, dayOfWeek]) => ({
    text: [minute, hour, dayOfMonth, month, dayOfWeek].map(({ text }) => text).join(' '),
    fixed: !minute.text.startsWith('*') && !hour.text.startsWith('*'),
    names: reading => {
      const date = new Date(reading)
      const inMonth = dayOfMonth.has(date.getUTCDate(), date)
      const inWeek = dayOfWeek.has(date.getUTCDay(), date)
      const both = dayOfMonth.text.startsWith('*') || dayOfWeek.text.startsWith('*')
      return (
        date.getUTCSeconds() === 0 &&
        minute.has(date.getUTCMinutes(), date) &&
        hour.has(date.getUTCHours(), date) &&
        month.has(date.getUTCMonth() + 1, date) &&
        (both ? inMonth && inWeek : inMonth || inWeek)
      )
    },
  }))

/** One-line OnCalendar expressions whose steps stay within their range. */
export const anyOnCalendar: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.option(fc.subarray(DAYS, { minLength: 3 }), { nil: null }),
    calendarField(1, 12),
    fc.oneof(
      { weight: 3, arbitrary: calendarField(1, 31) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 28 }).map(fromEnd) },
    ),
    calendarField(0, 23),
    calendarField(0, 59),
    fc.constantFrom('', ':00', ':30', ':0/20'),
  )
  .map(([weekdays, month, day, hour, minute, second]) => {
    const mark = day.text.startsWith('~') ? '' : '-'
    return {
      text: `${weekdays ? `${weekdays} ` : ''}*-${month.text}${mark}${day.text} ${hour.text}:${minute.text}${second}`,
      names: (reading: number) => {
        const date = new Date(reading)
        const seconds = date.getUTCSeconds()
        return (
          (weekdays === null || weekdays.includes(DAYS[date.getUTCDay()]!)) &&
          month.has(date.getUTCMonth() + 1, date) &&
          day.has(date.getUTCDate(), date) &&
          hour.has(date.getUTCHours(), date) &&
          minute.has(date.getUTCMinutes(), date) &&
          (second === ':0/20' ? seconds % 20 === 0 : seconds === Number(second.slice(1)))
        )
      },
    }
  })

function cronField(min: number, max: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min, max })
  const step = fc.integer({ min: 1, max: Math.ceil(max / 2) })
  const item = fc.oneof(
    value.map(one => ({ text: `${one}`, has: (other: number) => other === one })),
    fc.tuple(value, value).map(pair => ascending(pair, 1, '-', '')),
    fc.tuple(value, value, step).map(([a, b, n]) => ascending([a, b === a ? max : b], n, '-', `/${n}`)),
  )
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ text: '*', has: () => true }) },
    {
      weight: 2,
      arbitrary: step.map(n => ({ text: `*/${n}`, has: (other: number) => (other - min) % n === 0 })),
    },
    {
      weight: 3,
      arbitrary: fc.array(item, { minLength: 1, maxLength: 3 }).map(items => ({
        text: items.map(({ text }) => text).join(','),
        has: (other: number) => items.some(({ has }) => has(other)),
      })),
    },
  )
}

function ascending([a, b]: [number, number], step: number, mark: string, suffix: string) {
  const [first, last] = [Math.min(a, b), Math.max(a, b)]
  // A step after a range of one number continues to the end of the field, so no such range is generated.
  const text = first === last && suffix === '' ? `${first}${mark}${first}` : `${first}${mark}${last}${suffix}`
  return {
    text,
    has: (other: number) => other >= first && other <= last && (other - first) % step === 0,
  }
}

function anyDayOfMonth(): fc.Arbitrary<Field> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ text: '*', has: () => true }) },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 1, max: 28 }).map(one => ({
        text: `${one},${one + 1}`,
        has: (day: number) => day === one || day === one + 1,
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constant({ text: 'L', has: (day: number, date: Date) => day === length(date) }),
    },
    { weight: 1, arbitrary: fc.constant({ text: '*/2', has: (day: number) => day % 2 === 1 }) },
  )
}

function anyDayOfWeek(): fc.Arbitrary<Field> {
  const weekday = fc.integer({ min: 0, max: 6 })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ text: '*', has: () => true }) },
    {
      weight: 2,
      arbitrary: fc.subarray(DAYS, { minLength: 1 }).map(names => ({
        text: names.join(',').toUpperCase(),
        has: (day: number) => names.includes(DAYS[day]!),
      })),
    },
    {
      weight: 1,
      arbitrary: weekday.map(wanted => ({
        text: `${wanted}L`,
        has: (day: number, date: Date) => day === wanted && date.getUTCDate() > length(date) - 7,
      })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(weekday, fc.integer({ min: 1, max: 4 })).map(([wanted, nth]) => ({
        text: `${wanted}#${nth}`,
        has: (day: number, date: Date) => day === wanted && Math.ceil(date.getUTCDate() / 7) === nth,
      })),
    },
  )
}

function calendarField(min: number, max: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min, max })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ text: '*', has: () => true }) },
    {
      weight: 2,
      arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }).map(values => ({
        text: values.join(','),
        has: (other: number) => values.includes(other),
      })),
    },
    { weight: 1, arbitrary: fc.tuple(value, value).map(pair => ascending(pair, 1, '..', '')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.integer({ min, max: Math.floor((min + max) / 2) }),
          fc.integer({ min: 1, max: Math.floor(max / 3) }),
        )
        .map(([first, step]) => ({
          text: `${first}/${step}`,
          has: (other: number) => other >= first && (other - first) % step === 0,
        })),
    },
  )
}

function fromEnd(place: number): Field {
  return { text: `~${place}`, has: (day, date) => length(date) - day + 1 === place }
}

function length(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}
