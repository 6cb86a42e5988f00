import { foundInRows } from '../../store/query/found.ts';
import type { Handler } from '../context.ts';
import { newestFirst } from '../paging.ts';
import {
  askForSubscribers,
  decidingSubscription,
  isSubscribedTo,
  presentSubscriber,
} from './subscribers.ts';

export const listSubscribers: Handler<'listSubscribers'> = ({ path, query }, context) => {
  const { productId } = path;
  const name = `subscribers of ${productId}`;
  return askForSubscribers(context, name, isSubscribedTo(productId), ({ order }) => ({
    status: 200,
    body: newestFirst(foundInRows(order), query, ({ key }) =>
      presentSubscriber(context, decidingSubscription(context, key, productId), productId),
    ),
  }));
};
