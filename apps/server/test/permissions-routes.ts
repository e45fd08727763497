import { contract, type Route, routesOf } from '@community/contract'

export const ROUTES = new Map<string, Route>(routesOf(contract))

export const routeOf = (name: string): Route => {
  const route = ROUTES.get(name)
  if (!route) throw new Error(`The contract has no ${name}`)
  return route
}
