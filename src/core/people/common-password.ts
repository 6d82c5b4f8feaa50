/** The maximum number of common passwords; letter case does not matter. */

/** The words on which people base passwords. Digits and marks after them do not help. */
const WORDS = `
  abc abcd abcdef access account action adidas admin administrator airplane alex alexander alexandra america amanda andrea
  andrew angel angela angels anthony apple april arsenal asd asdf asdfgh asdfghjk ashley asshole august austin awesome
  backup banana barcelona baseball basketball batman beautiful blessed blink brandon buster butterfly camaro changeit
  changeme charlie cheese chelsea chicken chocolate christian chris company computer cookie corvette cowboys crystal
  daniel danielle database december default demo diamond dolphin donald dragon dreams eagles eminem family february
  ferrari fishing flower football forever freedom friday friends garfield george ginger golden google guest guitar
  hallo hammer hannah hardcore harley hello helloworld hockey holiday hottie hunter iceman iloveu iloveyou
  internet isabella jackson january jasmine jennifer jessica jesus jonathan jordan joshua july june justin killer
  letmein liverpool login london love lovely loveme lovers loveyou madison maggie manager march marina marlboro martin
  master matrix matthew melissa mercedes merlin michael michelle midnight mickey mission monday monitor monkey
  monster mustang mypassword mypass naruto nascar natalie network newpass newpassword newyork nicholas nicole ninja
  nintendo nothing november october oracle orange packers pass passme passw0rd passwd password passport patrick pepper
  peaches philips phoenix pokemon porsche princess private purple qazwsx qwe qwer qwert qwerty qwertz rachel raiders rainbow
  ranger rebecca richard robert root saturday samantha samsung scooter scorpion secret secure security september
  server service shadow sherlock simple skywalker slayer snoopy soccer software sparky special spider spiderman
  spring starwars steelers stella student summer sunday sunshine super superman superstar support sweety sysadmin
  system target teacher temp temppass test testing testpass testtest thomas thunder thursday tiger tigers tinkerbell
  toor trustno trustme tuesday tweety user vanessa victoria victory viking vincent wednesday welcome whatever william
  windows winner winter wizard wolverine yamaha yankees yellow zxcvbn zxcvbnm`

/** Words that come to mind for job monitoring, including this product's name. */
const SUBJECTS = `
  alert alerts cronjob cronjobs crontab healthcheck healthchecks monitoring punctual punktual uptime watchdog`

const COMMON = new Set(`${WORDS} ${SUBJECTS}`.trim().split(/\s+/))

/** Neighbouring keys and counted sequences; each is also known backwards. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  '!@#$%^&*()',
].flatMap(run => [run, [...run].reverse().join('')])

/** Characters that often replace letters. */
const LOOKS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** Whether a password is common: a common word with digits and marks around it, a repetition, or neighbouring keys. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase().trim()
  const core = text.replace(/^[^a-z]{0,4}/, '').replace(/[^a-z]{0,6}$/, '')
  const plain = (word: string) => word.replace(/[013457@$]/g, mark => LOOKS[mark]!)
  const asTyped = text.replace(/[!.?*#_-]{0,3}$/, '')
  return (
    [text, core, plain(core), plain(asTyped), plain(asTyped.replace(/\d{1,4}$/, ''))].some(isWord) ||
    /^(.{1,4})\1+$/.test(text) ||
    RUNS.some(run => run.includes(text)) ||
    RUNS.some(run => core.length >= 4 && run.includes(core))
  )
}

/** Whether the text is a common word, or two of them, such as `adminadmin`. */
function isWord(text: string): boolean {
  if (COMMON.has(text)) return true
  for (let cut = 3; cut <= text.length - 3; cut++) {
    if (COMMON.has(text.slice(0, cut)) && COMMON.has(text.slice(cut))) return true
  }
  return false
}
