/**
 * A plugin of esbuild that leaves out zod's messages in languages other than English: half of its code, which would be
 * compiled at every start, because the package exports them all by one name.
 */
export const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}
