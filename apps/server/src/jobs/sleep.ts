/** A sleep of `ms` milliseconds that `wake` ends early, for one caller at a time. A `wake` before the sleep makes it end at once. */
export function createSleep(ms: number): { sleep(): Promise<void>; wake(): void } {
  let isWoken = false
  let endSleep = () => {}
  return {
    async sleep() {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          endSleep = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isWoken = false
    },
    wake() {
      isWoken = true
      endSleep()
    },
  }
}
