/** Hostile text from customers that no page can fail on. */
export const HOSTILE_TEXTS = {
  markup: `"><script>document.title = 'owned'</script><img src=x onerror="document.title='owned'">`,
  rightToLeft: '\u202Eevil\u202C \u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627',
  emoji: '👩‍👩‍👧‍👦 💥 🏳️‍🌈',
  /** Maximum length of a name, without a place to break. */
  longName: 'W'.repeat(256),
  /** Maximum length of a description. */
  longDescription: '𝕎'.repeat(1024),
} as const;
